/**
 * Encodes and decodes tar headers in one form: ustar (POSIX.1-1988), mode 0644, owner 0 without a name. Numbers are
 * octal with leading zeros. The decoder encodes each result again, and rejects the header if the bytes differ.
 */

import { assertDefined } from '../../core/platform/lookups.ts';

export const BLOCK = 512;
/** The largest number in a header, because sizes and times have at most 11 octal digits. */
export const LARGEST_NUMBER = 0o77777777777;

interface TarHeader {
  readonly name: string;
  /** The size in bytes. 0 for a link. */
  readonly size: number;
  /** The modification time in epoch seconds. */
  readonly modified: number;
  /** The earlier entry that a hard link refers to. */
  readonly target: string | undefined;
}

/** The fields of a header with their lengths in bytes (POSIX.1-1988, section 10.1.1). */
const WIDTHS = [
  ['name', 100],
  ['mode', 8],
  ['uid', 8],
  ['gid', 8],
  ['size', 12],
  ['mtime', 12],
  ['checksum', 8],
  ['typeflag', 1],
  ['linkname', 100],
  ['magic', 6],
  ['version', 2],
  ['uname', 32],
  ['gname', 32],
  ['devmajor', 8],
  ['devminor', 8],
  ['prefix', 155],
  ['padding', 12],
] as const;
type Field = (typeof WIDTHS)[number][0];

const [NAME_BYTES, PREFIX_BYTES] = [100, 155];
const RANGES = WIDTHS.map(([field, width], i) => {
  const from = WIDTHS.slice(0, i).reduce((sum, [, before]) => sum + before, 0);
  return { field, from, to: from + width };
});
type Range = (typeof RANGES)[number];

const TYPES = { file: '0', link: '1' } as const;
const FOREIGN_TYPES: Readonly<Record<string, string>> = {
  '\0': 'a file in the format before 1988',
  '2': 'a symbolic link',
  '3': 'a device',
  '4': 'a device',
  '5': 'a folder',
  '6': 'a pipe',
  L: 'a long name of GNU tar',
  K: 'a long name of GNU tar',
  x: 'an extended header',
  g: 'an extended header',
};

/** Splits a long name at a slash into the prefix field and the name field. Returns undefined if a part is too long. */
function split(name: string): { readonly prefix: string; readonly rest: string } | undefined {
  if (name.length <= NAME_BYTES) return { prefix: '', rest: name };
  const at = name.lastIndexOf('/', PREFIX_BYTES);
  const rest = name.slice(at + 1);
  return at > 0 && rest !== '' && rest.length <= NAME_BYTES ? { prefix: name.slice(0, at), rest } : undefined;
}

/** Long names cannot be link targets, because a header has a second field for a long name, but not for a target. */
export function canBeTarget(name: string): boolean {
  return name.length <= NAME_BYTES;
}

/** Returns the reason if some systems cannot unpack a file with this name. */
export function nameProblem(name: string): string | undefined {
  if (!/^[\x20-\x7e]+$/.test(name) || name.includes('\\'))
    return 'it may contain only printable ASCII characters except backslashes';
  if (name.split('/').some((segment) => segment === '' || segment === '.' || segment === '..'))
    return 'it must be a relative path without empty segments, "." and ".."';
  if (!split(name)) return 'it is longer than the fields for names (100 bytes, and 155 for the folders)';
  return undefined;
}

/** Returns the 512 bytes of a header. Callers ensure that the name is valid and that the numbers fit. */
export function encodeHeader({ name, size, modified, target }: TarHeader): Buffer {
  const bytes = Buffer.alloc(BLOCK);
  const { prefix, rest } = assertDefined(split(name));
  const values: Readonly<Record<Field, string>> = {
    name: rest,
    mode: '0000644',
    uid: '0000000',
    gid: '0000000',
    size: octal(size, 11),
    mtime: octal(modified, 11),
    checksum: ' '.repeat(8),
    typeflag: target === undefined ? TYPES.file : TYPES.link,
    linkname: target ?? '',
    magic: 'ustar',
    version: '00',
    uname: '',
    gname: '',
    devmajor: '0000000',
    devminor: '0000000',
    prefix,
    padding: '',
  };
  for (const { field, from, to } of RANGES) bytes.write(values[field], from, to - from, 'latin1');
  let sum = 0;
  for (const byte of bytes) sum += byte;
  const { from } = rangeOf('checksum');
  bytes.write(`${octal(sum, 6)}\0 `, from, 'latin1');
  return bytes;
}

function octal(number: number, digits: number): string {
  return number.toString(8).padStart(digits, '0');
}

interface InvalidHeader {
  readonly reason: string;
  /** The name in the header. Undefined if the name is invalid, or if the header is not in the ustar format. */
  readonly name: string | undefined;
}

export function decodeHeader(bytes: Buffer): TarHeader | InvalidHeader {
  const text = (field: Field) => {
    const { from, to } = rangeOf(field);
    return bytes.toString('latin1', from, to).replace(/\0.*$/s, '');
  };
  const number = (field: Field) => (/^[0-7]{11}$/.test(text(field)) ? Number.parseInt(text(field), 8) : 0);
  const { from } = rangeOf('typeflag');
  const type = bytes.toString('latin1', from, from + 1);
  const prefix = text('prefix');
  const header = {
    name: prefix === '' ? text('name') : `${prefix}/${text('name')}`,
    size: number('size'),
    modified: number('mtime'),
    target: type === TYPES.link ? text('linkname') : undefined,
  };
  const problem = nameProblem(header.name);
  const expected = encodeHeader(problem === undefined ? header : { ...header, name: '' });
  const differing = RANGES.filter((range) => !sameIn(bytes, expected, range)).map(({ field }) => field);
  if (differing.length === 0 && problem === undefined) return header;
  const isNamed = problem === undefined && !differing.includes('magic');
  return { reason: reasonFor(differing, type, problem), name: isNamed ? header.name : undefined };
}

function rangeOf(field: Field): Range {
  return assertDefined(RANGES.find((range) => range.field === field));
}

function sameIn(one: Buffer, other: Buffer, { from, to }: Range): boolean {
  return one.subarray(from, to).equals(other.subarray(from, to));
}

/** Reports a wrong checksum last, because any other error also makes the checksum wrong. */
function reasonFor(differing: readonly Field[], type: string, problem: string | undefined): string {
  const foreign = FOREIGN_TYPES[type];
  if (differing.includes('magic')) return 'it has no header in the ustar format';
  if (differing.includes('typeflag'))
    return `it contains ${foreign ?? 'an unknown entry'}; only files and hard links are allowed`;
  const [first] = differing.filter((field) => field !== 'checksum' && !(problem && isOfName(field)));
  if (first !== undefined) return `the header field ${first} has an unexpected value`;
  if (problem !== undefined) return `the name of the entry is invalid: ${problem}`;
  return 'the checksum of the header is wrong';
}

function isOfName(field: Field): boolean {
  return field === 'name' || field === 'prefix';
}

/** Names must be unique. No name may be both a file and a folder. Links must refer to earlier files. */
export function tarNames() {
  const files = new Set<string>();
  const links = new Set<string>();
  const folders = new Set<string>();
  const isFile = (name: string) => files.has(name) || links.has(name);

  const problemOf = (name: string, target: string | undefined) => {
    if (isFile(name)) return `${name} already exists`;
    if (folders.has(name)) return `${name} is already a folder`;
    if (target !== undefined && !files.has(target)) return `it is a link to ${target}, which is not an earlier file`;
    return undefined;
  };
  const folderProblem = (name: string) => {
    for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1)) {
      const folder = name.slice(0, at);
      if (folders.has(folder)) return undefined;
      if (isFile(folder)) return `${folder} is already a file`;
      folders.add(folder);
    }
    return undefined;
  };

  return {
    /** Adds a name. Returns the reason if the archive cannot contain this name. */
    add: (name: string, target?: string): string | undefined => {
      const problem = problemOf(name, target) ?? folderProblem(name);
      if (problem === undefined) (target === undefined ? files : links).add(name);
      return problem;
    },
  };
}
