/** The registry as of another revision than the newest: the same for every view, from the history of all nodes. */
import { lazily } from '../../core/platform/on-demand.ts';
import { momentOf, tableAt } from '../fleet/past.ts';
import { type FleetHistory, readHistory } from './history.ts';
import type { TreeReader } from './reader.ts';
import type { Registry } from './registry.ts';

const read = new WeakMap<TreeReader, () => Promise<FleetHistory | undefined>>();

/** Read once, when it is first asked for. */
export function historyOf(reader: TreeReader, { newest }: Registry): Promise<FleetHistory | undefined> {
  const known = read.get(reader) ?? lazily(() => readHistory(reader, newest));
  read.set(reader, known);
  return known();
}

/** Undefined where the history is not told, or has no such revision. */
export async function registryAt(
  reader: TreeReader,
  newest: Registry,
  start: string,
): Promise<Registry | undefined> {
  const history = await historyOf(reader, newest);
  const index = history ? momentOf(history, start) : -1;
  const moment = history?.moments[index];
  if (!history || !moment) return undefined;
  const { id, date } = moment;
  return { ...newest, version: id, date, table: tableAt(history, index), labels: history.labels };
}
