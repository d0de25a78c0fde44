import { byPlace, type Finding, finding, type Place } from '../diagnostics/finding.ts';
import type { Configuration } from '../model/configuration.ts';
import { bodyDigest, sha256 } from '../model/digest.ts';
import { asText, hasSortedKeys, isJsonObject, type JsonObject } from '../model/json.ts';
import { type Kind, type Kinds, kindsWith } from '../model/kinds.ts';
import { gridOf, parsePath, pathAbove } from '../model/resource-path.ts';
import { type BodyStore, editState, type RegistryState, type StateEdit, type StoredBody } from '../model/state.ts';
import { ownText } from '../platform/text.ts';
import { decode } from './decode.ts';
import { fileOfResource, HISTORY_FOLDER, resourceOfFile } from './layout.ts';
import type { QuickChecks } from './quick-check.ts';
import { type Described, registryFindings } from './rules.ts';
import { decodeText, readYaml } from './yaml/read-yaml.ts';
import { type Positions, positionsIn } from './yaml/yaml-positions.ts';

/** The files of a registry folder by relative path, with `/` as separator. */
export interface SourceFolder {
  readonly name: string;
  /** The file names are in code-unit order. */
  readonly files: readonly string[];
  readonly read: (file: string) => Uint8Array;
  /** Returns a size in bytes. */
  readonly sizeOf: (file: string) => number;
}

export interface Registry {
  readonly state: RegistryState;
  readonly findings: readonly Finding[];
}

const SOURCE = /\.(ya?ml|json)$/i;

export interface ValidSource {
  readonly body: StoredBody;
  readonly uid: string;
  readonly findings?: undefined;
}

export type ReadSource = ValidSource | { readonly findings: readonly Finding[] };

export type SourceReader = (file: string, kind: Kind) => ReadSource;

export function sourceReader(folder: SourceFolder, store: BodyStore, checks: QuickChecks): SourceReader {
  return (file, kind) => {
    const read = decode(shownFile(folder, file), folder.read(file), kind.schema, checks(kind.name));
    return read.findings ? read : { body: storeBody(store, read.value), uid: ownText(asText(read.value['uid'])) };
  };
}

/** Reads and checks the registry files, but not the history. The state is null if there is any finding. */
export function readRegistry(
  folder: SourceFolder,
  configuration: Configuration,
  store: BodyStore,
  read: SourceReader,
): Registry {
  const kinds = kindsWith(configuration.kinds);
  const findings: Finding[] = [];
  const described = new Map<string, Described>();
  const bodies = new Map<string, StoredBody>();
  const shown = (file: string) => shownFile(folder, file);
  for (const file of folder.files) {
    if (!isRegistrySource(file)) continue;
    const item = resourceOfFile(file, kinds);
    if (!item) {
      findings.push(finding('file-unexpected', { expected: allowedFiles(file, kinds) }, { file: shown(file) }));
      continue;
    }
    const source = read(file, item.kind);
    const uid = source.findings ? undefined : source.uid;
    described.set(item.path, { file, item, uid, place: (field) => placeOf(folder, file, field) });
    if (source.findings) findings.push(...source.findings);
    else bodies.set(item.path, source.body);
  }
  const bodyOf = (path: string) => {
    const body = bodies.get(path);
    return body ? storedObject(store, body.handle) : undefined;
  };
  const all = [...findings, ...registryFindings(described, configuration, shown, bodyOf)].sort(byPlace);
  const edits = [...bodies].map(([path, body]) => ({ path, body }));
  return { state: all.length > 0 ? null : editState(null, edits), findings: all };
}

/** Reads resources without checking the rules. The state is null if a file cannot be read. */
export function readBodies(folder: SourceFolder, store: BodyStore, kinds: Kinds): Registry {
  const findings: Finding[] = [];
  const edits: StateEdit[] = [];
  for (const file of folder.files) {
    const item = isRegistrySource(file) ? resourceOfFile(file, kinds) : undefined;
    if (!item) continue;
    const text = decodeText(shownFile(folder, file), folder.read(file));
    const read = text.findings ? text : readYaml(shownFile(folder, file), text.value);
    if (read.findings) findings.push(...read.findings);
    else edits.push({ path: item.path, body: storeBody(store, read.value) });
  }
  return { state: findings.length > 0 ? null : editState(null, edits), findings };
}

export function storeBody(store: BodyStore, body: JsonObject): StoredBody {
  const json = JSON.stringify(body);
  return { handle: store.put(json), digest: hasSortedKeys(body) ? sha256(json) : bodyDigest(body) };
}

export function storedObject(store: BodyStore, handle: number): JsonObject {
  const value: unknown = JSON.parse(store.get(handle));
  return isJsonObject(value) ? value : {};
}

export function shownFile(folder: Pick<SourceFolder, 'name'>, file: string): string {
  return folder.name === '' ? file : `${folder.name}/${file}`;
}

export function placeOf(folder: SourceFolder, file: string, ...path: PropertyKey[]): Place {
  return positionsOf(folder, file).locate(path);
}

/** Locates many values of a file, and parses the file at most once. */
export function positionsOf(folder: SourceFolder, file: string): Positions {
  return positionsIn(shownFile(folder, file), new TextDecoder().decode(folder.read(file)));
}

/** Whether a file must describe a resource. Only YAML and JSON files do, except notes and hidden files. */
function isRegistrySource(file: string): boolean {
  if (file.startsWith(`${HISTORY_FOLDER}/`) || !SOURCE.test(file)) return false;
  return !file.split('/').some((segment) => segment.startsWith('.'));
}

function allowedFiles(file: string, kinds: Kinds): string {
  const path = pathAbove(file);
  if (path === '') {
    const collections = kinds.grid.children.flatMap(({ collection }) => collection ?? []);
    return `${fileOfResource(gridOf(kinds))} and the folders ${collections.join(', ')} and ${HISTORY_FOLDER}`;
  }
  const folder = parsePath(path, kinds);
  if (!folder) return allowedFiles(path, kinds);
  if (folder.isCollection) return fileOfResource({ ...folder, path: `${folder.path}/UID`, isCollection: false });
  const below = folder.kind.children.map(({ collection }) => `${path}/${collection}/`);
  return [fileOfResource(folder), ...below].join(', ');
}
