import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Finding, fail, finding } from '../../core/diagnostics/finding.ts';
import { tooLargeReason } from '../../core/diagnostics/words.ts';
import { type Json, parsedJson, setOwn } from '../../core/model/json.ts';
import { DOCUMENT_BYTES, FILE_BYTES } from '../../core/platform/limits.ts';
import { getOrCreate } from '../../core/platform/lookups.ts';
import { decodeText, readYaml } from '../../core/registry/yaml/read-yaml.ts';
import { displayPath } from '../../system/files/display-path.ts';
import { readPlainFile, readStandardInput, STANDARD_INPUT } from '../../system/files/file-io.ts';
import { listFolder } from '../../system/files/read-folder.ts';
import { reading } from '../../system/files/system-errors.ts';

/** A file, or a folder that is one report. */
export interface ReportSource {
  /** The path of the file or the folder, as messages show it. */
  readonly file: string;
  readonly reports: () => Iterable<Report>;
}

export interface Report {
  /** The name of the machine, such as the file name of the report without the extension. */
  readonly name: string | undefined;
  /** Throws a `Failure` for an unreadable report. */
  readonly value: () => Json;
}

export function* sourcesAt(place: string, onFinding: (found: Finding) => void): Generator<ReportSource> {
  const shown = displayPath(place);
  if (place === '-') yield fileSource(STANDARD_INPUT, undefined, () => readStandardInput(DOCUMENT_BYTES));
  else if (reading(shown, () => statSync(place)).isDirectory()) yield* sourcesIn(place, shown, onFinding);
  else yield fileSource(shown, nameOf(place), () => readPlainFile(place, DOCUMENT_BYTES, shown));
}

function nameOf(path: string): string {
  return basename(path).replace(/\.(json|ya?ml)$/i, '');
}

/** Skips hidden files. All `index.json` files of a Redfish mockup form one report. */
function* sourcesIn(root: string, shown: string, onFinding: (found: Finding) => void): Generator<ReportSource> {
  const { files, findings } = listFolder(root, shown);
  for (const each of findings) onFinding(each);
  const mockups = new Map<string, string[]>();
  for (const file of files) {
    if (/(^|\/)\./.test(file)) continue;
    const folder = /^(?:(.*)\/)?index\.json$/.exec(file);
    if (folder) {
      const [, path = ''] = folder;
      const own = /^(.*?)(?:^|\/)(?:redfish|Systems|Chassis|Managers|UpdateService)(?:\/|$)/.exec(path)?.[1] ?? path;
      getOrCreate(mockups, own, () => []).push(file);
    } else {
      const path = join(shown, file);
      yield fileSource(path, nameOf(file), () => readPlainFile(join(root, file), DOCUMENT_BYTES, path));
    }
  }
  for (const [folder, own] of mockups) {
    const name = basename(folder === '' ? root : folder);
    yield { file: join(shown, folder), reports: () => [{ name, value: () => mockupIn(root, folder, own) }] };
  }
}

function mockupIn(root: string, folder: string, files: readonly string[]): Json {
  const resources: Record<string, Json> = {};
  let left = DOCUMENT_BYTES;
  for (const file of files) {
    const shown = displayPath(join(root, file));
    const bytes = reading(shown, () => readPlainFile(join(root, file), left, shown));
    left -= bytes.length;
    const path = `/${file.slice(folder.length).replace(/^\/|\/?index\.json$/g, '')}`;
    const id = path.startsWith('/redfish/v1') ? path : `/redfish/v1${path}`;
    setOwn(resources, id, jsonOf(bytes.toString('utf8'), shown));
  }
  return resources;
}

function fileSource(file: string, name: string | undefined, read: () => Buffer): ReportSource {
  return {
    file,
    reports: () => {
      const bytes = reading(file, read);
      const decoded = decodeText(file, bytes);
      return decoded.findings ? fail(...decoded.findings) : reportsIn(file, name, decoded.value);
    },
  };
}

/** Ansible prints `host | SUCCESS => {...}` for each host. */
const PRINTED_HOST = /^(\S{1,255}) \| ([A-Z!]{2,20}) => (?=\{)/;
const PRINTED_HOSTS = new RegExp(PRINTED_HOST, 'gm');

/** Splits the text of a file into reports. If the text is a list, each item is a report. */
function reportsIn(file: string, name: string | undefined, text: string): readonly Report[] {
  if (PRINTED_HOST.test(text)) return printedHosts(file, text);
  // Treats an empty text as JSON, so that the empty output of a failed command is an error.
  const isJson = /\.json$/i.test(file) || /^\s*([[{]|$)/.test(text);
  const value = isJson ? jsonOf(text, file) : yamlOf(text, file);
  const items: readonly Json[] = Array.isArray(value) ? value : [value];
  return items.map((item) => ({ name: items.length === 1 ? name : undefined, value: () => item }));
}

function printedHosts(file: string, text: string): Report[] {
  const hosts = [...text.matchAll(PRINTED_HOSTS)];
  return hosts.map(({ index, 0: head, 1: name = '', 2: state = '' }, i) => {
    const body = text.slice(index + head.length, hosts[i + 1]?.index);
    const isGood = state === 'SUCCESS' || state === 'CHANGED';
    return { name, value: () => (isGood ? jsonOf(body, file) : fail(finding('observe-host-failed', { name, state }))) };
  });
}

function jsonOf(text: string, file: string): Json {
  return parsedJson(text) ?? fail(finding('observe-json', {}, { file }));
}

function yamlOf(text: string, file: string): Json {
  const size = text.length;
  if (size > FILE_BYTES)
    fail(finding('too-large', { file, reason: tooLargeReason(size, FILE_BYTES), limit: undefined }));
  const read = readYaml(file, text);
  return read.findings ? fail(...read.findings) : read.value;
}
