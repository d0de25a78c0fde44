/**
 * The one form that the header of a tar entry has here: ustar (POSIX.1-1988), mode 0644, owner 0 without a name, every
 * number in octal with leading zeros. What is decoded is encoded again and compared, so that no other form passes.
 */

import { certain } from '../../core/platform/certain.ts';

export const BLOCK = 512;
/** The most that the octal digits of a size and of a time hold. */
export const LARGEST_NUMBER = 0o77777777777;

interface TarHeader {
  /** The whole path, with slashes between its segments. */
  readonly name: string;
  /** In bytes; 0 for a link. */
  readonly size: number;
  /** Epoch seconds. */
  readonly modified: number;
  /** The name of an earlier entry with the same bytes, for a hard link. */
  readonly target: string | undefined;
}

/** The fields in their order, with how many bytes each takes: POSIX.1-1988, section 10.1.1. */
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
  '\0': 'a file in the form of before 1988',
  '2': 'a symbolic link',
  '3': 'a device',
  '4': 'a device',
  '5': 'a folder',
  '6': 'a pipe',
  L: 'a long name in the form of GNU tar',
  K: 'a long name in the form of GNU tar',
  x: 'an extended header',
  g: 'an extended header',
};

/** The name as it is split over two fields, as late as it can be; undefined when it does not fit. */
function split(name: string): { readonly prefix: string; readonly rest: string } | undefined {
  if (name.length <= NAME_BYTES) return { prefix: '', rest: name };
  const at = name.lastIndexOf('/', PREFIX_BYTES);
  const rest = name.slice(at + 1);
  return at > 0 && rest !== '' && rest.length <= NAME_BYTES ? { prefix: name.slice(0, at), rest } : undefined;
}

/** Whether there can be a hard link to an entry of this name: unlike names, targets are not split over two fields. */
export function canBeTarget(name: string): boolean {
  return name.length <= NAME_BYTES;
}

/** What is wrong with a path; undefined when it can be an entry, and unpacked, on every system. */
export function nameProblem(name: string): string | undefined {
  if (!/^[\x20-\x7e]+$/.test(name) || name.includes('\\'))
    return 'only printable ASCII other than backslashes may be in it';
  if (name.split('/').some((segment) => segment === '' || segment === '.' || segment === '..'))
    return 'it must be a plain path below a folder, without empty segments and dots';
  if (!split(name)) return 'it is longer than the fields for names (100 bytes, and 155 for the folders before)';
  return undefined;
}

/** The 512 bytes of a header. The name must be one without a problem, and the numbers must fit. */
export function encodeHeader({ name, size, modified, target }: TarHeader): Buffer {
  const bytes = Buffer.alloc(BLOCK);
  const { prefix, rest } = certain(split(name));
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

/** Bytes that are no header of ours. */
interface NoHeader {
  readonly reason: string;
  /** The name that they state, which may be what is wrong; undefined where it cannot be one. */
  readonly name: string | undefined;
}

/** The header that 512 bytes are; what is wrong with them when they are not, to the byte, what it is encoded as. */
export function decodeHeader(bytes: Buffer): TarHeader | NoHeader {
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
  return certain(RANGES.find((range) => range.field === field));
}

function sameIn(one: Buffer, other: Buffer, { from, to }: Range): boolean {
  return one.subarray(from, to).equals(other.subarray(from, to));
}

/** The checksum tells least: it is named only where nothing else is. */
function reasonFor(differing: readonly Field[], type: string, problem: string | undefined): string {
  const foreign = FOREIGN_TYPES[type];
  if (differing.includes('magic')) return 'there is no header of the format ustar';
  if (differing.includes('typeflag'))
    return `there is ${foreign ?? 'something unknown'}, and only files and hard links can be in it`;
  const [first] = differing.filter((field) => field !== 'checksum' && !(problem && isOfName(field)));
  if (first !== undefined) return `the field ${first} of the header is another`;
  if (problem !== undefined) return `the name of the entry is none that can be: ${problem}`;
  return 'the checksum of the header does not fit it';
}

function isOfName(field: Field): boolean {
  return field === 'name' || field === 'prefix';
}

/** The names in a tar file so far: none comes twice, none is both a file and a folder, links lead to files before. */

export interface TarNames {
  /** What is wrong with a further name, or a link to a target; undefined when it was taken up. */
  readonly add: (name: string, target?: string) => string | undefined;
}

export function tarNames(): TarNames {
  const files = new Set<string>();
  const links = new Set<string>();
  const folders = new Set<string>();
  const isFile = (name: string) => files.has(name) || links.has(name);

  const problemOf = (name: string, target: string | undefined) => {
    if (isFile(name)) return `there is ${name} already`;
    if (folders.has(name)) return `${name} is a folder already`;
    if (target !== undefined && !files.has(target)) return `it is a link to ${target}, which is no file before it`;
    return undefined;
  };
  /** Where a folder is known, those above it are too. */
  const folderProblem = (name: string) => {
    for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1)) {
      const folder = name.slice(0, at);
      if (folders.has(folder)) return undefined;
      if (isFile(folder)) return `${folder} is a file already`;
      folders.add(folder);
    }
    return undefined;
  };

  return {
    add: (name, target) => {
      const problem = problemOf(name, target) ?? folderProblem(name);
      if (problem === undefined) (target === undefined ? files : links).add(name);
      return problem;
    },
  };
}
