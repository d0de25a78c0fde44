/** Files of registries that other tools keep, JSON or YAML -> resources, with what is odd about each. */
import { isJsonObject, type Json, type JsonObject, setOwn } from '../model/json.ts';
import { hasOwnFolder } from '../model/kinds.ts';
import { GRID, lastSegment, parsePath, pathAbove, type Subject } from '../model/resource-path.ts';
import { uidProblem } from '../model/uid.ts';
import { jsonOddities, type Oddity } from './json-oddities.ts';
import { decodeText, readYaml } from './yaml.ts';

const SOURCE = /\.(json|ya?ml)$/;

/** What a path below the grid's folder describes. */
export type ForeignPlace =
  | { readonly item: Subject; readonly problem?: undefined }
  | { readonly problem: 'no-resource' }
  | { readonly problem: 'bad-uid'; readonly uid: string };

/** `sites/x/x.json` (in a folder of its own) and `sites/x.json` (flat) both describe the site x. */
export function foreignPlace(path: string, gridName: string): ForeignPlace {
  if (!SOURCE.test(path)) return { problem: 'no-resource' };
  const stem = path.replace(SOURCE, '');
  if (stem === gridName) return { item: GRID };
  const above = parsePath(pathAbove(stem));
  if (!above || pathAbove(stem) === '') return { problem: 'no-resource' };
  const isOwnFolder = !above.isCollection && lastSegment(above.path) === lastSegment(stem);
  const item = isOwnFolder ? above : parsePath(stem);
  if (!item || item.isCollection) return { problem: 'no-resource' };
  for (const uid of item.path.split('/').filter((_, i) => i % 2 === 1)) {
    if (uidProblem(uid, item.kind, 'name')) return { problem: 'bad-uid', uid };
  }
  return { item };
}

/** The files that can describe a resource, the one that counts first. */
export function foreignFiles(item: Subject, gridName: string): string[] {
  if (item.path === '') return ['json', 'yaml', 'yml'].map((ending) => `${gridName}.${ending}`);
  const stems = hasOwnFolder(item.kind)
    ? [`${item.path}/${lastSegment(item.path)}`, item.path]
    : [item.path, `${item.path}/${lastSegment(item.path)}`];
  return stems.flatMap((stem) => ['json', 'yaml', 'yml'].map((ending) => `${stem}.${ending}`));
}

export type ForeignBody =
  | { readonly body: JsonObject; readonly oddities: readonly Oddity[]; readonly broken?: undefined }
  | { readonly broken: string };

/** A file's contents as the body of a resource. The place says which resource it is, whatever the file says. */
export function readForeignBody(path: string, bytes: Uint8Array, item: Subject): ForeignBody {
  const text = decodeText(path, bytes);
  if (text.findings)
    return { broken: text.findings[0]?.code === 'not-utf8' ? 'it is not UTF-8' : 'it has a NUL character' };
  if (/^(<{7}|>{7}) /m.test(text.value)) return { broken: 'it has the marks of a merge conflict' };
  const read = path.endsWith('.json') ? parseJson(text.value) : parseYaml(path, text.value);
  if ('broken' in read) return read;
  if (!isJsonObject(read.value)) return { broken: 'it is not an object' };
  return identified(read.value, item, read.oddities);
}

type Parsed = { readonly value: Json; readonly oddities: Oddity[] } | { readonly broken: string };

function parseJson(text: string): Parsed {
  try {
    const value: Json = JSON.parse(text.replace(/^\ufeff/, ''));
    return jsonOddities(text, value);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : '';
    return { broken: `it is not JSON (${reason})` };
  }
}

function parseYaml(path: string, text: string): Parsed {
  const read = readYaml(path, text);
  return read.findings
    ? { broken: 'it is not YAML that a registry can hold' }
    : { value: read.value, oddities: [] };
}

function identified(source: JsonObject, item: Subject, oddities: Oddity[]): ForeignBody {
  const type = item.kind.name;
  const uid = item.path === '' ? source['uid'] : lastSegment(item.path);
  const body: Record<string, Json> = {};
  const missing = ['type', 'uid'].filter((field) => source[field] === undefined || source[field] === null);
  if (missing.includes('type')) setOwn(body, 'type', type);
  if (missing.includes('uid')) setOwn(body, 'uid', uid ?? type);
  for (const [key, value] of Object.entries(source)) {
    if (!missing.includes(key)) setOwn(body, key, key === 'uid' && uid !== undefined ? uid : value);
  }
  if (missing.length > 0) oddities.push({ code: 'identity', fields: missing });
  if (body['uid'] !== source['uid'] && !missing.includes('uid')) {
    oddities.push({ code: 'uid', uid: String(source['uid']) });
  }
  if (body['type'] !== type) oddities.push({ code: 'type', type: String(body['type']) });
  return { body, oddities };
}
