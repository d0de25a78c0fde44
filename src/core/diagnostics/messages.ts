/**
 * What findings say: for each code its severity, what is wrong, and what to do about it. The one place for words, in a
 * file for each topic.
 */
import { failure } from './message.ts';
import { ANSWERS_MESSAGES } from './messages/answers.ts';
import { ARCHIVES_MESSAGES } from './messages/archives.ts';
import { BUCKET_MESSAGES } from './messages/bucket.ts';
import { BUNDLES_MESSAGES } from './messages/bundles.ts';
import { EDIT_MESSAGES } from './messages/edit.ts';
import { FLEET_MESSAGES } from './messages/fleet.ts';
import { HISTORY_MESSAGES } from './messages/history.ts';
import { IMPORT_MESSAGES } from './messages/import.ts';
import { LOCKS_MESSAGES } from './messages/locks.ts';
import { PUBLISH_MESSAGES } from './messages/publish.ts';
import { QUERY_MESSAGES } from './messages/query.ts';
import { REGISTRY_MESSAGES } from './messages/registry.ts';
import { SIGNATURES_MESSAGES } from './messages/signatures.ts';
import { TAR_MESSAGES } from './messages/tar.ts';
import { TEXT_MESSAGES } from './messages/text.ts';
import { TREE_MESSAGES } from './messages/tree.ts';
import { VERIFY_MESSAGES } from './messages/verify.ts';

export const MESSAGES = {
  usage: failure<{ problem: string; hint: string }>(
    (a) => a.problem,
    (a) => a.hint,
  ),
  ...TEXT_MESSAGES,
  ...REGISTRY_MESSAGES,
  ...EDIT_MESSAGES,
  ...HISTORY_MESSAGES,
  ...IMPORT_MESSAGES,
  ...TREE_MESSAGES,
  ...ANSWERS_MESSAGES,
  ...FLEET_MESSAGES,
  ...LOCKS_MESSAGES,
  ...QUERY_MESSAGES,
  ...VERIFY_MESSAGES,
  ...SIGNATURES_MESSAGES,
  ...PUBLISH_MESSAGES,
  ...TAR_MESSAGES,
  ...ARCHIVES_MESSAGES,
  ...BUCKET_MESSAGES,
  ...BUNDLES_MESSAGES,
} as const;
