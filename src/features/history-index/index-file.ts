/**
 * The file of an index: a line that says what it is, one with a digest, the JSON of its head, and behind that the sections
 * that the head lists, each with its place and its CRC-32. It is read as far as it is needed, and nothing of it is taken
 * for true before its check holds.
 */

import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { isJsonObject, type JsonObject, parsedJson } from '../../core/model/json.ts';
import { freshFile } from '../../system/files/replace-file.ts';
import { damaged } from './index-damaged.ts';

const MAGIC = 'gridpress index 5\n';
const DIGITS = 64;
/** Digest, a blank, the head's length in ten digits, and the end of the line. */
const LINE = DIGITS + 1 + 10 + 1;
const MOST_HEAD = 64_000_000;

export interface Section {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What a list of numbers is as the bytes of a section. */
export function bytesOf({ buffer, byteOffset, byteLength }: NodeJS.ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The parts of a file, to be written in turn. */
export function indexFileParts(head: JsonObject, sections: readonly Section[]): Uint8Array[] {
  let at = 0;
  const listed = sections.map(({ name, bytes }) => {
    const section = { name, at, bytes: bytes.byteLength, check: crc32(bytes) };
    // Numbers of eight bytes must begin where a multiple of eight is.
    at += bytes.byteLength + padding(bytes.byteLength);
    return section;
  });
  const text = Buffer.from(JSON.stringify({ ...head, sections: listed }));
  const line = `${hash('sha256', text, 'hex')} ${String(text.length).padStart(10, '0')}\n`;
  const parts: Uint8Array[] = [Buffer.from(MAGIC + line), text];
  for (const { bytes } of sections) parts.push(bytes, Buffer.alloc(padding(bytes.byteLength)));
  return parts;
}

/** Writes a file beside its place, which it takes in one step. Nothing waits for the disk. */
export function writeIndexFile(path: string, parts: readonly Uint8Array[]): void {
  const from = freshFile(path);
  const file = openSync(from, 'w');
  try {
    for (const part of parts) writeFileSync(file, part);
  } finally {
    closeSync(file);
  }
  renameSync(from, path);
}

function padding(bytes: number): number {
  return (8 - (bytes % 8)) % 8;
}

export interface OpenIndexFile {
  readonly head: JsonObject;
  readonly section: (name: string) => Buffer<ArrayBuffer>;
  /** Some bytes of a section, of which nothing tells whether they are what was written. */
  readonly partOf: (name: string, at: number, bytes: number) => Buffer;
}

/**
 * Reads the head of a file. System errors are thrown on. Sections are read later: should another file have the name by
 * then, its digests are others.
 */
export function openIndexFile(path: string): OpenIndexFile {
  return reading(path, (file, size) => {
    const start = MAGIC.length + LINE;
    const beginning = readAt(file, 0, start).toString('latin1');
    const [, digest, digits] = /^([0-9a-f]{64}) (\d{10})\n$/.exec(beginning.slice(MAGIC.length)) ?? [];
    const length = Number(digits);
    if (!beginning.startsWith(MAGIC) || digest === undefined || length > MOST_HEAD || start + length > size)
      return damaged('its first lines');
    const text = readAt(file, start, length);
    const head = hash('sha256', text, 'hex') === digest ? parsedJson(text.toString('utf8')) : undefined;
    if (!isJsonObject(head)) return damaged('its head');
    const placed = { path, start: start + length, head };
    return {
      head,
      section: (name) => sectionOf(placed, name),
      partOf: (name, from, bytes) => {
        const { at, bytes: all } = placeOf(placed, name);
        return from + bytes <= all ? readPart(placed, at + from, bytes) : damaged(`how long ${name} is`);
      },
    };
  });
}

/** Where the sections of a file begin, and the head that lists them. */
interface PlacedSections {
  readonly path: string;
  readonly start: number;
  readonly head: JsonObject;
}

function placeOf({ head }: PlacedSections, name: string) {
  const listed = Array.isArray(head['sections']) ? head['sections'] : [];
  const found = listed.find((each) => isJsonObject(each) && each['name'] === name);
  const { at, bytes, check } = found ?? {};
  return isCount(at) && isCount(bytes) ? { at, bytes, check } : damaged(`where ${name} stands`);
}

function readPart({ path, start }: PlacedSections, at: number, bytes: number): Buffer<ArrayBuffer> {
  return reading(path, (file, size) =>
    start + at + bytes <= size ? readAt(file, start + at, bytes) : damaged('its end is missing'),
  );
}

function sectionOf(placed: PlacedSections, name: string): Buffer<ArrayBuffer> {
  const { at, bytes, check } = placeOf(placed, name);
  const section = readPart(placed, at, bytes);
  return crc32(section) === check ? section : damaged(name);
}

/** Opens a file for as long as it is read; a pipe in its place is not waited for. */
export function reading<T>(path: string, read: (file: number, size: number) => T): T {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const status = fstatSync(file);
    return status.isFile() ? read(file, status.size) : damaged('the kind of its file');
  } finally {
    closeSync(file);
  }
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** So many bytes of an open file, in memory of their own. */
export function readAt(file: number, at: number, length: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.from(new ArrayBuffer(length));
  let read = 0;
  while (read < length) {
    const got = readSync(file, bytes, read, length - read, at + read);
    if (got === 0) return damaged('its end is missing');
    read += got;
  }
  return bytes;
}
