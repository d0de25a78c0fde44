/** When two values of a hardware field say the same, however different tools have written them down. */
import { certain } from '../../platform/certain.ts';
import type { Column, StatedValue } from './columns.ts';

/**
 * Sizes in bytes are the same within 3 %: tools round them, take the unit for its decimal or binary namesake's
 * neighbour, or leave out what the firmware keeps for itself. One of 24 memory modules is more than that.
 */
const SIZE_TOLERANCE = 0.03;
const TOLERANT = /(^|_)size$/;
/** Below it a "size" is a count, such as smp_size. */
const LEAST_BYTES = 1_000_000;

/** What companies add to their names. */
const COMPANY = /[,.]?\s+(inc|corp|corporation|co|ltd|llc|gmbh|and subsidiaries)\b\.?/g;
const IS_COMPANY = /(^|_)(vendor|manufacturer)$/;
/** What PCI tools add to the names of models. */
const PCI_REVISION = /\s*\(rev [0-9a-f]+\)$/;
const SYNONYMS: ReadonlyMap<string, string> = new Map([['rotational', 'hdd']]);

/** For the values of a column: a text that is the same for those that say the same. */
export function sameness(column: Column): (value: StatedValue) => string {
  const name = certain(column.field.at(-1));
  const sizes = TOLERANT.test(name) ? representatives(column) : undefined;
  const isCompany = IS_COMPANY.test(name);
  const known = new Map<StatedValue, string>();
  return (value) => {
    let key = known.get(value);
    if (key === undefined) {
      key = typeof value === 'string' ? sameText(value, isCompany) : String(sizes?.get(value) ?? value);
      known.set(value, key);
    }
    return key;
  };
}

function sameText(text: string, isCompany: boolean): string {
  const plain = text.trim().toLowerCase().replace(/\s+/g, ' ').replace(PCI_REVISION, '');
  return isCompany ? plain.replace(COMPANY, '') : (SYNONYMS.get(plain) ?? plain);
}

/** For each size the most frequent one that is within the tolerance. */
function representatives(column: Column): ReadonlyMap<StatedValue, number> {
  const counts = new Map<number, number>();
  for (const { values } of column.cells.values()) {
    for (const value of values) {
      if (typeof value === 'number' && value >= LEAST_BYTES) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  const chosen: number[] = [];
  const found = new Map<StatedValue, number>();
  for (const [size] of [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])) {
    const near = chosen.find((other) => Math.abs(size - other) <= SIZE_TOLERANCE * Math.max(size, other));
    if (near === undefined) chosen.push(size);
    found.set(size, near ?? size);
  }
  return found;
}
