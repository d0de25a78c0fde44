/**
 * The digests of bodies, 32 bytes for each row: two fifths of an index, of which a question asks few. They are read in parts,
 * of which each has a CRC-32 of its own, and nothing of a part is taken for true before its check holds.
 */

import { crc32 } from 'node:zlib';
import { lazily } from '../../core/platform/on-demand.ts';
import { DIGEST_BYTES } from './columns.ts';
import { damaged } from './index-damaged.ts';
import { bytesOf, type OpenIndexFile, type Section } from './index-file.ts';

const [DIGESTS, CHECKS] = ['digests', 'digest checks'];

/** Rows. */
const PART = 1 << 11;
const PART_BYTES = PART * DIGEST_BYTES;

export function digestSections(digests: Uint8Array): Section[] {
  const checks = new Uint32Array(Math.ceil(digests.length / PART_BYTES));
  for (let part = 0; part < checks.length; part++)
    checks[part] = crc32(digests.subarray(part * PART_BYTES, (part + 1) * PART_BYTES));
  return [
    { name: DIGESTS, bytes: digests },
    { name: CHECKS, bytes: bytesOf(checks) },
  ];
}

export interface Digests {
  /** Those of all rows. */
  readonly all: () => Buffer;
  /** The digest of one row. */
  readonly of: (row: number) => Buffer;
}

export function digestsIn({ section, partOf }: Pick<OpenIndexFile, 'section' | 'partOf'>, rows: number): Digests {
  const all = lazily(() => {
    const bytes = section(DIGESTS);
    return bytes.length === rows * DIGEST_BYTES ? bytes : damaged('the digests');
  });
  const checks = lazily(() => {
    const bytes = section(CHECKS);
    const isWhole = bytes.length === Math.ceil(rows / PART) * Uint32Array.BYTES_PER_ELEMENT;
    return isWhole ? new Uint32Array(bytes.buffer) : damaged('the checks of digests');
  });
  const known = new Map<number, Buffer>();
  const read = (part: number): Buffer => {
    const first = part * PART;
    const bytes = partOf(DIGESTS, first * DIGEST_BYTES, Math.min(PART, rows - first) * DIGEST_BYTES);
    if (crc32(bytes) !== checks()[part]) return damaged('some digests');
    known.set(part, bytes);
    return bytes;
  };
  return {
    all,
    of: (row) => {
      const part = Math.floor(row / PART);
      const at = (row % PART) * DIGEST_BYTES;
      return (known.get(part) ?? read(part)).subarray(at, at + DIGEST_BYTES);
    },
  };
}
