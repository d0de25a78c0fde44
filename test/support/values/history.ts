/** Histories in memory. */

import { orderGraph } from '../../../src/core/history/graph.ts';
import { type History, type Replayed, replay, stateDigest } from '../../../src/core/history/replay.ts';
import type { ResourceChange } from '../../../src/core/history/revision-file.ts';
import { memoryStore } from '../../../src/core/model/body-store.ts';
import { KINDS } from '../../../src/core/model/kinds.ts';
import type { RevisionHeader } from '../../../src/core/model/revision.ts';
import type { BodyStore } from '../../../src/core/model/state.ts';
import { headerOf } from './headers.ts';

/** A revision by its line (see headers.ts) and its changes. */
export type Step = readonly [line: string, ...changes: ResourceChange[]];

const place = (id: string, ...path: PropertyKey[]) => ({ file: `${id.charAt(0)}/${path.join('/')}` });

function replayAll(headers: readonly RevisionHeader[], steps: readonly Step[], store: BodyStore): Replayed {
  const changes = new Map(steps.map(([line, ...rest]) => [headerOf(line).id, rest]));
  const ordered = orderGraph(headers, place);
  if (ordered.findings) throw new Error(`no history: ${ordered.findings.map(({ code }) => code).join()}`);
  return replay(ordered.graph, (id) => changes.get(id) ?? [], store, place, KINDS);
}

/** Replays revisions with the given headers, including their digests. */
export function replayed(steps: readonly Step[], headers = steps.map(([line]) => headerOf(line))): Replayed {
  return replayAll(headers, steps, memoryStore());
}

/** The history of valid revisions, with computed digests. */
export function historyOf(
  steps: readonly Step[],
  header: (line: string) => RevisionHeader = headerOf,
): { readonly history: History; readonly store: BodyStore } {
  const store = memoryStore();
  const stated = new Map<string, string>();
  const headers = () => steps.map(([line]) => ({ ...header(line), state: stated.get(header(line).id) ?? '' }));
  for (let missing = steps.length; missing >= 0; missing--) {
    const { history, findings } = replayAll(headers(), steps, store);
    const last = history.states.length - 1;
    const id = history.revisions[last]?.id ?? '';
    if (findings.length === 0) return { history, store };
    if (findings.some(({ code }) => code !== 'revision-state'))
      throw new Error(findings.map(({ code, args }) => `${code} ${JSON.stringify(args)}`).join('\n'));
    stated.set(id, stateDigest(history.states[last] ?? null));
  }
  throw new Error('the states do not settle');
}

export function added(path: string, value: Record<string, string | number> = {}): ResourceChange {
  return { action: 'added', path, value };
}

export function removed(path: string): ResourceChange {
  return { action: 'removed', path };
}

/** Changes one field of a resource from one number to another. */
export function updated(path: string, from: number, to: number, field = 'n'): ResourceChange {
  return { action: 'updated', path, fields: [{ at: `/${field}`, from, to }] };
}
