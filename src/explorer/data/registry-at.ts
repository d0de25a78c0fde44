/** The registry as of another revision than the newest: the same for every view, from the history of all nodes. */
import { lazily } from '../../core/platform/on-demand.ts';
import { momentNamed, tableAt } from '../fleet/past.ts';
import { type FleetHistory, readFleetHistory } from './history.ts';
import type { DocumentReader } from './reader.ts';
import type { ShownRegistry } from './registry.ts';

const read = new WeakMap<DocumentReader, () => Promise<FleetHistory | undefined>>();

export function historyOf(reader: DocumentReader, { newest }: ShownRegistry): Promise<FleetHistory | undefined> {
  const known = read.get(reader) ?? lazily(() => readFleetHistory(reader, newest));
  read.set(reader, known);
  return known();
}

export async function registryAt(
  reader: DocumentReader,
  newest: ShownRegistry,
  start: string,
): Promise<ShownRegistry | undefined> {
  const history = await historyOf(reader, newest);
  const index = history ? momentNamed(history, start) : -1;
  const moment = history?.moments[index];
  if (!history || !moment) return undefined;
  const { id, date } = moment;
  return { ...newest, version: id, date, table: tableAt(history, index), labels: history.labels };
}
