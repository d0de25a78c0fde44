/** Reads reports from files, folders and standard input, one at a time. */
import { readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Failure, type Finding, fail, finding } from '../../core/diagnostics/finding.ts';
import { tooLargeReason } from '../../core/diagnostics/words.ts';
import { type Json, parsedJson, setOwn } from '../../core/model/json.ts';
import { DOCUMENT_BYTES, FILE_BYTES } from '../../core/platform/limits.ts';
import { decodeText, readYaml } from '../../core/registry/yaml/read-yaml.ts';
import { displayPath } from '../../system/files/display-path.ts';
import { CHUNK_BYTES, readPlainFile } from '../../system/files/file-io.ts';
import { listFolder } from '../../system/files/read-folder.ts';
import { reading } from '../../system/files/system-errors.ts';

export interface Report {
  /** For messages. */
  readonly file: string;
  /** The name of the machine according to the place of the report, such as its file name without extension. */
  readonly name: string | undefined;
  /** Throws findings. */
  readonly read: () => Json;
}

export function* reportsAt(place: string, onFinding: (found: Finding) => void): Generator<Report> {
  const shown = displayPath(place);
  if (place === '-') yield* reportsInText('standard input', undefined, readStandardInput);
  else if (reading(shown, () => statSync(place)).isDirectory()) yield* reportsInFolder(place, shown, onFinding);
  else yield* reportsInText(shown, nameOf(place), () => readBytes(place, shown, DOCUMENT_BYTES));
}

function nameOf(path: string): string {
  return basename(path).replace(/\.(json|ya?ml)$/i, '');
}

function readBytes(path: string, shown: string, most: number): Buffer {
  return reading(shown, () => readPlainFile(path, most, shown));
}

function readStandardInput(): Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const length = reading('standard input', () => readSync(0, chunk));
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, length));
    size += length;
    if (size > DOCUMENT_BYTES)
      fail(
        finding('too-large', {
          file: 'standard input',
          reason: tooLargeReason(size, DOCUMENT_BYTES),
          limit: undefined,
        }),
      );
  }
}

/** Hidden files are no reports. The files `index.json` of a Redfish mockup are one report. */
function* reportsInFolder(root: string, shown: string, onFinding: (found: Finding) => void): Generator<Report> {
  const { files, findings } = listFolder(root, shown);
  for (const each of findings) onFinding(each);
  const mockups = new Map<string, string[]>();
  for (const file of files) {
    if (file.split('/').some((part) => part.startsWith('.'))) continue;
    const folder = file === 'index.json' ? '' : /^(.*)\/index\.json$/.exec(file)?.[1];
    if (folder === undefined) {
      yield* reportsInText(join(shown, file), nameOf(file), () =>
        readBytes(join(root, file), join(shown, file), DOCUMENT_BYTES),
      );
      continue;
    }
    const own = /^(.*?)(?:^|\/)(?:redfish|Systems|Chassis|Managers|UpdateService)(?:\/|$)/.exec(folder)?.[1] ?? folder;
    const others = mockups.get(own);
    if (others) others.push(file);
    else mockups.set(own, [file]);
  }
  for (const [folder, own] of mockups) {
    const name = folder === '' ? basename(root) : basename(folder);
    yield { file: join(shown, folder), name, read: () => mockupIn(root, folder, own) };
  }
}

/** The resources of a mockup by path. Files that are no JSON are findings. */
function mockupIn(root: string, folder: string, files: readonly string[]): Json {
  const resources: Record<string, Json> = {};
  let left = DOCUMENT_BYTES;
  for (const file of files) {
    const shown = displayPath(join(root, file));
    const bytes = readBytes(join(root, file), shown, left);
    left -= bytes.length;
    const path = `/${file.slice(folder.length).replace(/^\/|\/?index\.json$/g, '')}`;
    setOwn(
      resources,
      path.startsWith('/redfish/v1') ? path : `/redfish/v1${path}`,
      jsonOf(bytes.toString('utf8'), shown),
    );
  }
  return resources;
}

function* reportsInText(file: string, name: string | undefined, read: () => Buffer): Generator<Report> {
  const text = () => {
    const decoded = decodeText(file, read());
    return decoded.findings ? fail(...decoded.findings) : decoded.value;
  };
  let parsed: readonly Report[];
  try {
    parsed = reportsOf(file, name, text());
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    parsed = [
      {
        file,
        name,
        read: () => {
          throw error;
        },
      },
    ];
  }
  yield* parsed;
}

/** Ansible prints `host | SUCCESS => {...}` for each host. */
const PRINTED_HOST = /^(\S{1,255}) \| ([A-Z!]{2,20}) => (?=\{)/;
const PRINTED_HOSTS = new RegExp(PRINTED_HOST, 'gm');

/** A list contains several reports. */
function reportsOf(file: string, name: string | undefined, text: string): readonly Report[] {
  const hosts = PRINTED_HOST.test(text) ? [...text.matchAll(PRINTED_HOSTS)] : [];
  if (hosts.length > 0)
    return hosts.map((host, i) => {
      const [head, called = '', state = ''] = host;
      const body = text.slice(host.index + head.length, hosts[i + 1]?.index);
      const isGood = state === 'SUCCESS' || state === 'CHANGED';
      const read = () =>
        isGood ? jsonOf(body, file) : fail(finding('observe-host-failed', { name: called, state }, { file }));
      return { file, name: called, read };
    });
  if (!/^\s*[[{]/.test(text)) return [{ file, name, read: () => yamlOf(text, file) }];
  const value = jsonOf(text, file);
  if (!Array.isArray(value)) return [{ file, name, read: () => value }];
  const items: readonly Json[] = value;
  return items.map((item) => ({ file, name: items.length === 1 ? name : undefined, read: () => item }));
}

function jsonOf(text: string, file: string): Json {
  return parsedJson(text) ?? fail(finding('observe-json', {}, { file }));
}

function yamlOf(text: string, file: string): Json {
  if (text.length > FILE_BYTES)
    fail(finding('too-large', { file, reason: tooLargeReason(text.length, FILE_BYTES), limit: undefined }));
  const read = readYaml(file, text);
  return read.findings ? fail(...read.findings) : read.value;
}
