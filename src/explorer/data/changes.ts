/** The feed of changes, page by page, the newest first. */
import { changesUrl } from '../../core/api/urls.ts';
import { isJsonObject, itemsIn, type JsonObject } from '../../core/model/json.ts';
import { linkTo, text } from './json-values.ts';
import type { DocumentReader } from './reader.ts';

export interface Change {
  readonly revision: string;
  /** ISO 8601. */
  readonly date: string;
  /** Without the slash that it begins with. */
  readonly path: string;
  readonly action: string;
  readonly classes: readonly string[];
}

export interface ChangePage {
  readonly changes: readonly Change[];
  readonly older: string | undefined;
}

export async function readChanges(reader: DocumentReader, path: string): Promise<ChangePage | undefined> {
  const read = await reader.read(path);
  if (!read) return undefined;
  const changes = itemsIn(read['items']).filter(isJsonObject).map(changeFrom);
  const older = linkTo(read, 'next');
  return { changes, older: older === undefined ? undefined : reader.pathOf(older) };
}

export async function changesOf(reader: DocumentReader, path: string): Promise<Change[]> {
  const found: Change[] = [];
  for (let page: string | undefined = changesUrl(''); page !== undefined; ) {
    const read: ChangePage | undefined = await readChanges(reader, page);
    found.push(...(read?.changes ?? []).filter((change) => change.path === path));
    page = read?.older;
  }
  return found;
}

function changeFrom({ revision, timestamp, resource, action, classes }: JsonObject): Change {
  return {
    revision: text(revision),
    date: text(timestamp),
    action: text(action),
    path: text(resource).replace(/^\//, ''),
    classes: itemsIn(classes).map(text),
  };
}
