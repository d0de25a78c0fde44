import { failure } from './message.ts';
import { EDIT_MESSAGES } from './messages/edit.ts';
import { FIND_MESSAGES } from './messages/find.ts';
import { FLEET_MESSAGES } from './messages/fleet.ts';
import { HISTORY_MESSAGES } from './messages/history.ts';
import { IMPORT_MESSAGES } from './messages/import.ts';
import { LOCKS_MESSAGES } from './messages/locks.ts';
import { OBSERVE_MESSAGES } from './messages/observe.ts';
import { BUCKET_MESSAGES, BUNDLES_MESSAGES, PUBLISH_MESSAGES } from './messages/publish.ts';
import { QUERY_MESSAGES } from './messages/query.ts';
import { REGISTRY_MESSAGES, TEXT_MESSAGES } from './messages/registry.ts';
import { TREE_MESSAGES } from './messages/tree.ts';
import {
  ANSWERS_MESSAGES,
  ARCHIVES_MESSAGES,
  SIGNATURES_MESSAGES,
  TAR_MESSAGES,
  VERIFY_MESSAGES,
} from './messages/verify.ts';

export const MESSAGES = {
  usage: failure<{ problem: string; hint: string }>(
    (a) => a.problem,
    (a) => a.hint,
  ),
  ...TEXT_MESSAGES,
  ...REGISTRY_MESSAGES,
  ...EDIT_MESSAGES,
  ...OBSERVE_MESSAGES,
  ...HISTORY_MESSAGES,
  ...IMPORT_MESSAGES,
  ...TREE_MESSAGES,
  ...ANSWERS_MESSAGES,
  ...FLEET_MESSAGES,
  ...LOCKS_MESSAGES,
  ...QUERY_MESSAGES,
  ...FIND_MESSAGES,
  ...VERIFY_MESSAGES,
  ...SIGNATURES_MESSAGES,
  ...PUBLISH_MESSAGES,
  ...TAR_MESSAGES,
  ...ARCHIVES_MESSAGES,
  ...BUCKET_MESSAGES,
  ...BUNDLES_MESSAGES,
} as const;
