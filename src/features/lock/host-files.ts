/** Reads hosts from files of schedulers and testbeds. */
import {
  type Finding,
  fail,
  failAll,
  finding,
  MOST_FINDINGS_PER_FILE,
  type Place,
  placeAt,
} from '../../core/diagnostics/finding.ts';
import { isDateWithOffset } from '../../core/history/revision-file.ts';
import { hostFormatOf } from '../../core/lock/host-formats.ts';
import { asText, isJsonObject, itemsIn, type Json, type JsonObject, parsedJson } from '../../core/model/json.ts';
import { FILE_BYTES } from '../../core/platform/limits.ts';
import { decodeText } from '../../core/registry/yaml/read-yaml.ts';
import { displayPath } from '../../system/files/display-path.ts';
import { readPlainFile, readStandardInput, STANDARD_INPUT } from '../../system/files/file-io.ts';
import { reading } from '../../system/files/system-errors.ts';
import { readRspec } from './read-rspec.ts';

/** Files with hosts, by format. Each value is a path, or `-` for standard input. */
export interface HostFiles {
  /** Jobs of OAR, from `oarstat -J` or the API of Grid'5000. */
  readonly fromOar?: readonly string[] | undefined;
  /** Manifest RSpecs of GENI. */
  readonly fromManifest?: readonly string[] | undefined;
  /** Files of Blazar with leases, allocations or hosts. */
  readonly fromLease?: readonly string[] | undefined;
  /** Texts with a host name, a uid or a Slurm host list per line. */
  readonly hosts?: readonly string[] | undefined;
}

export interface UsedHost {
  /** The name of the machine. If `isUnbound`, the name of the node in the experiment. */
  readonly name: string;
  /** True if the file does not say which machine the node of the experiment used. */
  readonly isUnbound?: boolean | undefined;
  /** The name of the file in messages. */
  readonly file: string;
  /**
   * Searches the file, and returns the place of the host in the file. All hosts of a line share one function, so that
   * callers can group them.
   */
  readonly place: () => Place;
  /** The first day of the job or the lease, in UTC, such as `2026-03-01`. For a manifest, a day of the experiment. */
  readonly day?: string | undefined;
  /** The last day of the job, the lease or the experiment, in UTC. Undefined if it is not known. */
  readonly end?: string | undefined;
}

/** Reads the hosts in all files. Warns about jobs and leases without hosts. */
export function readHosts(
  { fromOar = [], fromManifest = [], fromLease = [], hosts = [] }: HostFiles,
  warn: (found: Finding) => void = () => {},
): UsedHost[] {
  return [
    ...fromOar.flatMap((file) => hostsOfJobs(readText(file, 'oar'), warn)),
    ...fromManifest.flatMap((file) => hostsOfManifest(readText(file, 'manifest'))),
    ...(fromLease.length > 0
      ? hostsOfLease(
          fromLease.map((file) => readText(file, 'lease')),
          warn,
        )
      : []),
    ...hosts.flatMap((path) => {
      const found = readHostLines(path);
      return found.length > 0 ? found : fail(finding('nodes-none', { format: 'hosts' }, { file: shownPath(path) }));
    }),
  ];
}

/** Reads a file with one host name, uid or Slurm host list per line. The file can be empty. */
export function readHostLines(path: string): UsedHost[] {
  const read = readText(path, 'hosts');
  const format = hostFormatOf(read.text);
  const isOther = format === undefined ? isJson(read.text) : format !== 'list';
  if (isOther) return fail(finding('hosts-other-file', { format, path }, { file: read.file }));
  return hostsInLines(read);
}

function isJson(text: string): boolean {
  return typeof parsedJson(text) === 'object';
}

interface HostFile {
  readonly file: string;
  readonly text: string;
}

function shownPath(path: string): string {
  return path === '-' ? STANDARD_INPUT : displayPath(path);
}

function readText(path: string, format: 'oar' | 'manifest' | 'lease' | 'hosts'): HostFile {
  const file = shownPath(path);
  const read = () => (path === '-' ? readStandardInput(FILE_BYTES) : readPlainFile(path, FILE_BYTES, file));
  const bytes = reading(file, read);
  if (bytes.includes(0)) return fail(finding('hosts-not-text', { format }, { file }));
  const decoded = decodeText(file, bytes);
  return decoded.findings ? failAll(decoded.findings) : { file, text: decoded.value };
}

function hostsOfJobs({ file, text }: HostFile, warn: (found: Finding) => void): UsedHost[] {
  const value = parsedJson(text);
  const jobs = jobsIn(value).map(([number, job]) => {
    const { uid: id = number, ...fields } = isJsonObject(job) ? job : {};
    const hosts = fields['assigned_network_address'] ?? fields['assigned_nodes'];
    const days = {
      day: dayOfJob(fields, ['started_at', 'startTime']),
      end: dayOfJob(fields, ['stopped_at', 'stopTime']),
    };
    return { id: asText(id), hosts, names: itemsIn(hosts).filter((name) => name !== ''), days };
  });
  const names = jobs.flatMap((job) => job.names);
  if (jobs.length === 0 || !jobs.every(({ hosts }) => Array.isArray(hosts)) || !names.every(isText))
    return fail(finding('nodes-format', { format: 'oar' }, { file }));
  if (names.length === 0) return fail(finding('nodes-none', { format: 'oar' }, { file }));
  const empty = jobs.filter((job) => job.names.length === 0).slice(0, MOST_FINDINGS_PER_FILE);
  for (const { id } of empty) warn(finding('hosts-left-out', { format: 'oar', id }, { file }));
  return jobs.flatMap(({ names, days }) =>
    names.filter(isText).map((name) => ({ name, ...days, file, place: () => quotedPlace({ file, text }, name) })),
  );
}

/**
 * `oarstat` and the API of Grid'5000 give times in epoch seconds, under different names. The start is 0 before a job
 * starts, and the end is 0 before it ends.
 */
function dayOfJob(job: JsonObject, names: readonly string[]): string | undefined {
  const seconds = names.map((name) => job[name]).find((value) => typeof value === 'number' && value > 0);
  const time = new Date(Number(seconds) * 1000);
  return Number.isNaN(time.getTime()) ? undefined : dayIn(time.toISOString());
}

/** Returns the day at the beginning of a date in ISO 8601. */
function dayIn(date: Json | undefined): string | undefined {
  const [day] = typeof date === 'string' ? (/^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(date) ?? []) : [];
  return day !== undefined && isDateWithOffset(`${day}T00:00:00Z`) ? day : undefined;
}

/** `oarstat` prints an object that maps job numbers to jobs. The API of Grid'5000 returns a job or a list of jobs. */
function jobsIn(value: Json | undefined): readonly (readonly [number: string, job: Json])[] {
  const isJob = isJsonObject(value) && ('assigned_nodes' in value || 'assigned_network_address' in value);
  if (isJob) return [['1', value]];
  const jobs = isJsonObject(value) && Array.isArray(value['items']) ? value['items'] : value;
  return isJsonObject(jobs) ? Object.entries(jobs) : itemsIn(jobs).map((job, i) => [String(i + 1), job]);
}

function hostsOfManifest({ file, text }: HostFile): UsedHost[] {
  const rspec = readRspec(file, text) ?? fail(finding('nodes-format', { format: 'manifest' }, { file }));
  const days = { day: dayIn(rspec.generated ?? rspec.expires), end: dayIn(rspec.expires) };
  if (rspec.nodes.length === 0) return fail(finding('nodes-none', { format: 'manifest' }, { file }));
  if (rspec.nodes.every(({ name }) => name === undefined)) return fail(finding('rspec-request', {}, { file }));
  return rspec.nodes.map(({ name, client, offset }) => ({
    name: name ?? client,
    isUnbound: name === undefined,
    ...days,
    file,
    place: () => placeAt(file, text, offset),
  }));
}

interface BlazarRecord {
  readonly input: HostFile;
  readonly id: string;
  readonly hostname: string | undefined;
  /** The uids of the leases to which the allocation belongs. */
  readonly leases: readonly string[];
}

/** A lease of Blazar does not name its hosts. An allocation connects the uid of a lease with the number of a host. */
function hostsOfLease(inputs: readonly HostFile[], warn: (found: Finding) => void): UsedHost[] {
  const [first] = inputs.map(({ file }) => file);
  const place = { file: first ?? '' };
  const leases = new Map<string, Pick<UsedHost, 'day' | 'end'>>();
  const records = inputs.flatMap((input) =>
    blazarObjectsIn(input).flatMap((object) => {
      if (isLease(object)) {
        const id = String(object['id']);
        leases.set(id, { day: dayIn(object['start_date']), end: dayIn(object['end_date']) });
        return itemsIn(object['reservations']).flatMap((reservation) => allocationsIn(reservation, id, input));
      }
      return [recordOf(object, leaseIdsIn(object['reservations']), input)];
    }),
  );
  const named = new Map(records.filter(({ hostname }) => hostname !== undefined).map((record) => [record.id, record]));
  const allocated = records.filter((record) => record.leases.some((id) => leases.size === 0 || leases.has(id)));
  const found = new Set(allocated.flatMap((record) => record.leases));
  if (leases.size === 0 && found.size > 1) return fail(finding('lease-several', { count: found.size }, place));
  if (allocated.length === 0) return fail(finding('nodes-none', { format: 'lease' }, place));
  const unnamed = allocated.filter(({ id, hostname }) => hostname === undefined && !named.has(id)).map(({ id }) => id);
  if (unnamed.length > 0) return fail(finding('lease-hosts', { ids: unnamed }, place));
  const empty = [...leases.keys()].filter((id) => !found.has(id)).slice(0, MOST_FINDINGS_PER_FILE);
  for (const id of empty) warn(finding('hosts-left-out', { format: 'lease', id }, place));
  return allocated.flatMap((record) => {
    const { input, hostname: name } = record.hostname === undefined ? (named.get(record.id) ?? record) : record;
    const days = record.leases.map((id) => leases.get(id)).find((each) => each?.day !== undefined);
    return name === undefined ? [] : [{ name, ...days, file: input.file, place: () => quotedPlace(input, name) }];
  });
}

const BLAZAR_KEYS = ['lease', 'allocations', 'allocation', 'hosts', 'host'];

/** Blazar's API nests each object under a key of `BLAZAR_KEYS`. Blazar's command line prints the object itself. */
function blazarObjectsIn({ file, text }: HostFile): JsonObject[] {
  const value = parsedJson(text);
  const keys = isJsonObject(value) ? BLAZAR_KEYS.filter((key) => key in value) : [];
  const inner = isJsonObject(value) && keys.length > 0 ? keys.map((key) => value[key]) : [value];
  return inner.flatMap((part) =>
    (Array.isArray(part) ? part : [part]).map((object: Json | undefined) =>
      isJsonObject(object) && (hostnameOf(object) !== undefined || 'reservations' in object)
        ? object
        : fail(finding('nodes-format', { format: 'lease' }, { file })),
    ),
  );
}

function isLease(object: JsonObject): boolean {
  return object['resource_id'] === undefined && hostnameOf(object) === undefined;
}

/** Returns the allocations that some services list inside a reservation. */
function allocationsIn(reservation: Json, lease: string, input: HostFile): BlazarRecord[] {
  const allocations = isJsonObject(reservation) ? itemsIn(reservation['allocations']) : [];
  return allocations.filter(isJsonObject).map((object) => recordOf(object, [lease], input));
}

function recordOf(object: JsonObject, leases: readonly string[], input: HostFile): BlazarRecord {
  return { input, id: String(object['resource_id'] ?? object['id']), hostname: hostnameOf(object), leases };
}

function leaseIdsIn(reservations: Json | undefined): string[] {
  return itemsIn(reservations).flatMap((one) =>
    isJsonObject(one) && isText(one['lease_id']) ? [one['lease_id']] : [],
  );
}

function hostnameOf(object: JsonObject): string | undefined {
  return [object['hypervisor_hostname'], object['node_name']].find(isText);
}

/** Reads one host or host list per line. A host can be repeated, because some schedulers print it for each core. */
function hostsInLines({ file, text }: HostFile): UsedHost[] {
  // All lists of a file share one limit, because a short list can expand to many hosts.
  let left = MOST_HOSTS;
  const lines = text.split('\n', MOST_LINES + 1);
  if (lines.length > MOST_LINES) return fail(finding('hosts-many', { most: MOST_LINES }, { file }));
  return lines.flatMap((line, i) => {
    const list = line.replace(/#.*/, '').trim();
    const place = () => ({ file, line: i + 1 });
    const names = /[[,]/.test(list) ? hostsInList(list, left) : list === '' ? [] : [list];
    if (names === undefined)
      return fail(finding('hosts-list', { list: list.slice(0, MOST_SHOWN), most: MOST_HOSTS }, place()));
    if (names.length > 1) left -= names.length;
    return names.map((name) => ({ name, file, place }));
  });
}

/** The maximum number of hosts in the lists of a file. */
const MOST_HOSTS = 100_000;
/** The maximum number of lines of a file. Some schedulers print a host for each core. */
const MOST_LINES = 500_000;
/** The maximum length of a list in a message, in characters. */
const MOST_SHOWN = 100;

/** Expands `c[01-03,07],gpu5` (see scontrol(1)). Returns undefined for an invalid list or more than `most` hosts. */
function hostsInList(list: string, most: number): string[] | undefined {
  const names: string[] = [];
  for (const [entry] of list.matchAll(/(?:\[[^\]]*\]?|[^,[])+/g)) {
    let begun = [''];
    for (const [part, ranges] of entry.trim().matchAll(/\[([^\]]*)\]|[^[]+|\[/g)) {
      const ends = ranges === undefined ? [part] : numbersIn(ranges, most);
      if (part === '[' || ends === undefined || begun.length * ends.length > most) return undefined;
      begun = begun.flatMap((start) => ends.map((end) => start + end));
    }
    if (names.length + begun.length > most) return undefined;
    for (const name of begun) if (name !== '') names.push(name);
  }
  return names;
}

/** Expands `01-03,07`. Pads each number to the length of the first number of its range. */
function numbersIn(ranges: string, most: number): string[] | undefined {
  const numbers: string[] = [];
  for (const range of ranges.split(',')) {
    const [, first = '', last = first] = /^ *(\d{1,9})(?:-(\d{1,9}))? *$/.exec(range) ?? [];
    const count = Number(last) - Number(first) + 1;
    if (first === '' || count < 1 || numbers.length + count > most) return undefined;
    for (let i = 0; i < count; i++) numbers.push(String(Number(first) + i).padStart(first.length, '0'));
  }
  return numbers;
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

/** Returns the place of a text in a JSON file. The place has no line if the file escapes characters of the text. */
function quotedPlace({ file, text }: HostFile, value: string): Place {
  const at = text.indexOf(JSON.stringify(value));
  return at < 0 ? { file } : placeAt(file, text, at);
}
