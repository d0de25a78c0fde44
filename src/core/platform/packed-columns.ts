/** Lists of numbers and of digests that grow, as millions of entries need them: packed, and not looked after one by one. */
import { itemAt } from './certain.ts';
import { type HexBytes, hexBytes } from './digests.ts';

export interface NumberColumn {
  readonly add: (value: number) => void;
  /** Of an index that has been added. */
  readonly at: (index: number) => number;
}

type Numbers = Float64Array | Uint32Array | Uint8Array;

const FIRST_LENGTH = 1024;

export function numberColumn(make: new (length: number) => Numbers): NumberColumn {
  let values = new make(FIRST_LENGTH);
  let count = 0;
  return {
    add: (value) => {
      if (count === values.length) {
        const longer = new make(count * 2);
        longer.set(values);
        values = longer;
      }
      values[count++] = value;
    },
    at: (index) => itemAt(values, index),
  };
}

export interface DigestColumn {
  /** Adds one of SHA-256, in lowercase hexadecimal digits. */
  readonly add: (digest: string) => void;
  readonly at: (index: number) => string;
  readonly count: () => number;
}

const DIGEST_BYTES = 32;
const DIGESTS_IN_SLAB = 1 << 12;

export function digestColumn(): DigestColumn {
  const slabs: HexBytes[] = [];
  let count = 0;
  return {
    add: (digest) => {
      const place = count % DIGESTS_IN_SLAB;
      if (place === 0) slabs.push(hexBytes(DIGESTS_IN_SLAB * DIGEST_BYTES));
      itemAt(slabs, slabs.length - 1).write(place * DIGEST_BYTES, digest);
      count++;
    },
    at: (index) => {
      const slab = itemAt(slabs, Math.floor(index / DIGESTS_IN_SLAB));
      return slab.read((index % DIGESTS_IN_SLAB) * DIGEST_BYTES, DIGEST_BYTES);
    },
    count: () => count,
  };
}
