/** The bodies of a comparison: of nodes as they are, as they were, and of what most of a type have. */
import type { JsonObject } from '../../core/model/json.ts';
import type { ComparedColumn } from '../fleet/compared-columns.ts';
import { type Fleet, fleetOf } from '../fleet/fleet.ts';
import { majorityOf } from '../fleet/majority.ts';
import { momentNamed, tableAt } from '../fleet/past.ts';
import { sharedFields } from '../fleet/shared-fields.ts';
import { visible } from '../format/values.ts';
import { bodyOfVersion, readNode, tableBody, versionsOf } from './nodes.ts';
import { type DocumentReader, ReadError } from './reader.ts';
import type { ShownRegistry } from './registry.ts';
import { historyOf } from './registry-at.ts';

export interface ComparedBody {
  /** Empty where there was no such node. */
  readonly body: JsonObject;
  /** Whether fields are missing that the table leaves out. */
  readonly isPartial: boolean;
  /** What it is of, beside the node: a revision of a day, or so many nodes of a type. */
  readonly revision?: { readonly id: string; readonly date: string };
  readonly type?: { readonly name: string; readonly nodes: number };
  readonly isMissing?: boolean;
}

interface Source {
  readonly reader: DocumentReader;
  readonly fleet: Fleet;
  readonly registry: ShownRegistry;
}

/** Where one of them is known but for what the table leaves out, so are all: that would differ from nothing. */
export async function comparedBodies(source: Source, columns: readonly ComparedColumn[]): Promise<ComparedBody[]> {
  const read = await Promise.all(columns.map((column) => bodyOf(source, column)));
  const { leftOut } = source.fleet.table;
  if (!read.some(({ isPartial }) => isPartial)) return read;
  return read.map((each) =>
    each.isPartial ? each : { ...each, body: sharedFields(each.body, leftOut), isPartial: true },
  );
}

async function bodyOf(source: Source, { row, as }: ComparedColumn): Promise<ComparedBody> {
  const { reader, fleet, registry } = source;
  if (as === 'now') return readNode(reader, fleet, row, registry);
  if (as !== 'majority') return bodyThen(source, fleet.pathOf(row), as.revision);
  const majority = majorityOf(fleet.table, row);
  if (!majority) throw new ReadError(`${fleet.nameOf(row)} has no node_type: there is no majority of it.`);
  const { type: name, nodes, body } = majority;
  return { body: { uid: fleet.table.uids[row] ?? '', ...body }, isPartial: true, type: { name, nodes } };
}

type PastSource = Pick<Source, 'reader' | 'registry'>;

export async function versionBody(source: PastSource, path: string, id: string): Promise<ComparedBody> {
  if (source.reader.isLocal) return bodyThen(source, path, id);
  return { body: (await bodyOfVersion(source.reader, path, id)) ?? {}, isPartial: false };
}

/** The whole body of one of the node's versions, where it can be read; else its row in the history of all nodes. */
async function bodyThen({ reader, registry }: PastSource, path: string, start: string): Promise<ComparedBody> {
  const versions = reader.isLocal ? [] : ((await versionsOf(reader, path)) ?? []);
  const [version, ...others] = versions.filter(({ id }) => id.startsWith(start));
  if (version && others.length === 0) {
    const body = await bodyOfVersion(reader, path, version.id);
    return { body: body ?? {}, isPartial: false, revision: version, isMissing: body === null };
  }
  const history = await historyOf(reader, registry);
  const index = history ? momentNamed(history, start) : -1;
  const moment = history?.moments[index];
  if (!history || !moment)
    throw new ReadError(
      `The revision ${visible(start)} is not one that this page can show: ${whyNot(reader, history === undefined)}.`,
    );
  const then = fleetOf(tableAt(history, index), []);
  const row = then.rowOf(path);
  const body = row < 0 ? {} : tableBody(then, row);
  return { body, isPartial: true, revision: moment, isMissing: row < 0 };
}

function whyNot({ isLocal }: DocumentReader, isUntold: boolean): string {
  if (isUntold && isLocal)
    return 'histories do not lie beside the page, since they would be too long. Serve the folder';
  return isUntold
    ? 'no version of the node begins so, and the history of all nodes is too long to be told'
    : 'the registry has none that begins so, or more than one';
}
