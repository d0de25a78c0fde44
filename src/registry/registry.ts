/** The files of a registry folder -> its resources, checked, with their bodies in the store. */
import { type Finding, finding, type Place } from '../diagnostics/finding.ts';
import type { Configuration } from '../model/configuration.ts';
import { bodyDigest } from '../model/digest.ts';
import { isJsonObject, type JsonObject } from '../model/json.ts';
import { lastSegment, parsePath, pathAbove } from '../model/resource-path.ts';
import { type BodyStore, editState, type RegistryState, type StateEdit } from '../model/state.ts';
import { decode } from './decode.ts';
import { fileOfResource, HISTORY_FOLDER, resourceOfFile } from './layout.ts';
import { type Described, registryFindings, uidFindings } from './rules.ts';
import { locate } from './yaml-positions.ts';

/** A folder of sources: its files by their paths below it, with `/` between the segments. */
export interface SourceFolder {
  /** How messages name the folder. */
  readonly name: string;
  /** In code-unit order. */
  readonly files: readonly string[];
  readonly read: (file: string) => Uint8Array;
}

export interface Registry {
  readonly state: RegistryState;
  readonly findings: readonly Finding[];
}

const SOURCE = /\.(ya?ml|json)$/i;

/** Reads and checks everything but the history. The state is null when any finding stands against it. */
export function readRegistry(folder: SourceFolder, configuration: Configuration, store: BodyStore): Registry {
  const findings: Finding[] = [];
  const described = new Map<string, Described>();
  const edits: StateEdit[] = [];
  const statedUids = new Map<string, string>();
  for (const file of folder.files) {
    if (!isRegistrySource(file)) continue;
    const item = resourceOfFile(file);
    if (!item) {
      findings.push(
        finding('file-unexpected', { expected: expectedBeside(file) }, { file: shownFile(folder, file) }),
      );
      continue;
    }
    const entry = { file, item, place: (field: string) => placeOf(folder, file, field) };
    described.set(item.path, entry);
    const body = decode(shownFile(folder, file), folder.read(file), item.kind.schema);
    if (body.findings) {
      findings.push(...body.findings);
      continue;
    }
    const uid = `${pathAbove(item.path)}/${String(body.value['uid'])}`;
    const other = statedUids.get(uid);
    if (other === undefined) statedUids.set(uid, file);
    else findings.push(finding('uid-twice', { uid: lastSegment(uid), other }, entry.place('uid')));
    if (other === undefined) findings.push(...uidFindings(body.value, entry, configuration));
    edits.push({ path: item.path, body: storeBody(store, body.value) });
  }
  const bodies = new Map(edits.map((edit) => [edit.path, edit.body]));
  const bodyOf = (path: string) => {
    const body = bodies.get(path);
    return body ? storedObject(store, body.handle) : undefined;
  };
  findings.push(...registryFindings(described, configuration, bodyOf));
  return { state: findings.length > 0 ? null : editState(null, edits), findings };
}

export function storeBody(store: BodyStore, body: JsonObject) {
  return { handle: store.put(JSON.stringify(body)), digest: bodyDigest(body) };
}

/** The body behind a handle, as a value. */
export function storedObject(store: BodyStore, handle: number): JsonObject {
  const value: unknown = JSON.parse(store.get(handle));
  return isJsonObject(value) ? value : {};
}

export function shownFile(folder: SourceFolder, file: string): string {
  return folder.name === '' ? file : `${folder.name}/${file}`;
}

/** Where a field of a source stands, for a finding. */
export function placeOf(folder: SourceFolder, file: string, ...path: PropertyKey[]): Place {
  const text = new TextDecoder().decode(folder.read(file));
  return locate(shownFile(folder, file), text, path);
}

/** Files that are no sources (notes, hidden files) may lie about; YAML and JSON must have a meaning. */
function isRegistrySource(file: string): boolean {
  const hidden = file.split('/').some((segment) => segment.startsWith('.'));
  return !hidden && SOURCE.test(file) && !file.startsWith(`${HISTORY_FOLDER}/`);
}

function expectedBeside(file: string): string {
  const folder = parsePath(pathAbove(file));
  if (!folder || pathAbove(file) === '') return 'grid.yaml and the folders sites and history';
  if (folder.isCollection)
    return fileOfResource({ ...folder, path: `${folder.path}/UID`, isCollection: false });
  return fileOfResource(folder);
}
