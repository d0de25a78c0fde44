/** Reads the private fields of a configuration, and the key of their hashes. */

import { createHmac } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { type PublicBodyOf, publicBodyOf } from '../../core/history/public-history.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import type { PrivateChoice } from '../../core/model/configuration-parts.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import { type PrivacyOptions, type PublicBodies, publicBodies } from '../../core/model/private-fields.ts';
import type { BodyStore } from '../../core/model/state.ts';
import { FILE_BYTES } from '../../core/platform/limits.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { displayPath } from '../../system/files/display-path.ts';
import { readPlainFile } from '../../system/files/file-io.ts';
import { reading } from '../../system/files/system-errors.ts';
import { type ConfigurationPlace, configurationFile } from './registry-files.ts';

export function hasPrivateFields({ private: chosen }: Pick<Configuration, 'private'>): boolean {
  return chosen?.omit !== undefined || chosen?.hash !== undefined;
}

/** Returns undefined if every field is public. */
export function privacyOf(
  place: ConfigurationPlace,
  { private: chosen }: Pick<Configuration, 'private'>,
  onPrivate?: PrivacyOptions['onPrivate'],
): PublicBodies | undefined {
  if (!chosen || !hasPrivateFields({ private: chosen })) return undefined;
  // Reads the key only when needed, because registries in archives contain hashed values and have no key.
  const key = lazily(() => keyOf(place, chosen));
  const hashOf = (text: string) => createHmac('sha256', key()).update(text).digest('hex');
  return publicBodies(chosen, { hashOf, ...(onPrivate && { onPrivate }) });
}

interface StoredSources {
  readonly configuration: Configuration;
  readonly kinds: Kinds;
  readonly store: BodyStore;
}

/** Returns undefined if every field is public. */
export function publicBodiesOf(place: ConfigurationPlace, sources: StoredSources): PublicBodyOf | undefined {
  const privacy = privacyOf(place, sources.configuration);
  return privacy && publicBodyOf(privacy, sources.store, sources.kinds);
}

/** The minimum length of a key in bytes. */
const SHORTEST_KEY = 16;

function keyOf(place: ConfigurationPlace, { hash }: PrivateChoice): string {
  const given = hash?.key ?? { variable: '' };
  const isFile = 'file' in given;
  const source = isFile ? displayPath(resolve(dirname(configurationFile(place)), given.file)) : given.variable;
  const text = isFile
    ? reading(source, () => readPlainFile(source, FILE_BYTES).toString('utf8'))
    : (variableOf(given.variable) ?? fail(finding('private-key-missing', { variable: source })));
  const key = text.trim();
  const length = Buffer.byteLength(key);
  if (length < SHORTEST_KEY) fail(finding('private-key-short', { source, length, shortest: SHORTEST_KEY }));
  return key;
}

/** `process.env` inherits properties such as `toString`, so `hasOwn` is needed. */
function variableOf(name: string): string | undefined {
  return Object.hasOwn(process.env, name) ? process.env[name] : undefined;
}
