/** Removes private values from sources before publishing (see docs/decisions/0029-private-fields.md). */

import { failAll, finding } from '../../core/diagnostics/finding.ts';
import { suggestSimilar } from '../../core/diagnostics/nearest.ts';
import { publicBodyOf, publicHistory, publicState } from '../../core/history/public-history.ts';
import { stateDigest } from '../../core/history/replay.ts';
import { sha256 } from '../../core/model/digest.ts';
import { describedField } from '../../core/model/fields/field-descriptions.ts';
import { fieldName, pathOfField } from '../../core/model/fields/field-name.ts';
import { isJsonObject, type Json } from '../../core/model/json.ts';
import { resourcesIn, sharedState } from '../../core/model/state.ts';
import { getOrThrow, itemAt } from '../../core/platform/lookups.ts';
import { storedObject } from '../../core/registry/registry.ts';
import type { Sources } from './load-sources.ts';
import { privacyOf } from './privacy.ts';
import type { ConfigurationPlace } from './registry-files.ts';

/** Sources without private fields. All publishing code requires this type, which only `publicSources` creates. */
export interface PublicSources extends Omit<Sources, 'folder' | 'digestOf'> {
  readonly isPublic: true;
}

/** Removes private fields. Fails if there are findings other than unrecorded changes. */
export function publicSources(sources: Sources, place: ConfigurationPlace): PublicSources {
  if (sources.findings.length > 0) failAll(sources.findings);
  const { configuration, store, history: recorded } = sources;
  const privacy = privacyOf(place, configuration);
  if (!privacy) return { ...sources, isPublic: true };
  const bodyOf = publicBodyOf(privacy, store, recorded.kinds);
  const { states, changes } = publicHistory(recorded, store, bodyOf);
  const worktree = sharedState(publicState(sources.worktree, bodyOf), states.at(-1) ?? null);
  const revisions = recorded.revisions.map((header, index) => ({
    ...header,
    // The recorded identifier is a digest of private values, so the identifier does not match the public state.
    origin: header.origin === 'recorded' ? ('published' as const) : header.origin,
    state: stateDigest(itemAt(states, index)),
    salt: undefined,
    contents: undefined,
  }));
  const isRegistry = recorded.revisions.every(({ origin }) => origin !== 'published');
  if (isRegistry) checkNames(privacy.unusedNames(), sources);
  const history = { ...recorded, revisions, states, changes };
  const heads = [...sources.heads.keys()].map((id) => [id, itemAt(states, getOrThrow(recorded.indexOf, id))] as const);
  const published = { ...sources, history, worktree, heads: new Map(heads) };
  return { ...published, digest: (others) => publicDigest(published, others), isPublic: true };
}

type DigestedSources = Pick<Sources, 'configurationBytes' | 'history' | 'worktree' | 'store'>;

/** Uses no digest of the registry files, because this digest would help to guess private values. */
export function publicDigest(
  { configurationBytes, history, worktree, store }: DigestedSources,
  others: readonly string[],
): string {
  const configuration = configurationBytes.toString('latin1');
  const changes = history.changes.map((each) => each.map(({ path, action, successor }) => [path, action, successor]));
  const bodies = Array.from(resourcesIn(worktree), ([path, { body }]) => [path, sha256(store.get(body.handle))]);
  return sha256(JSON.stringify([configuration, others, history.revisions, changes, bodies]));
}

/** Fails if no resource has a field of this name. A misspelled name would publish the private field. */
function checkNames(names: readonly string[], { history, worktree, store }: Sources): void {
  const wrong = names.filter((name) => {
    const path = pathOfField(name) ?? [];
    return history.kinds.all.every((kind) => describedField(kind.name, path)?.text === undefined);
  });
  if (wrong.length === 0) return;
  const known = new Set<string>();
  for (const [, { body }] of resourcesIn(worktree)) addNames(storedObject(store, body.handle), [], known);
  failAll(wrong.map((name) => finding('private-unknown', { name, nearest: suggestSimilar(name, known) })));
}

function addNames(value: Json, path: readonly string[], names: Set<string>): void {
  if (path.length > 0) names.add(fieldName(path));
  if (Array.isArray(value)) for (const item of value) addNames(item, path, names);
  else if (isJsonObject(value))
    for (const [name, held] of Object.entries(value)) addNames(held, [...path, name], names);
}
