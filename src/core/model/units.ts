const BASE_UNITS = ['B', 'bit/s', 'Hz'] as const;
export type BaseUnit = (typeof BASE_UNITS)[number];

export interface Unit {
  readonly name: string;
  readonly base: BaseUnit;
  readonly factor: number;
}

const DECIMAL = ['', 'k', 'M', 'G', 'T', 'P'];
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];

function unitsOf(base: BaseUnit, name: string, prefixes: readonly string[], step: number): Unit[] {
  return prefixes.map((prefix, i) => ({ name: prefix + name, base, factor: step ** i }));
}

const BYTES = unitsOf('B', 'B', DECIMAL, 1000);
const BINARY_BYTES = unitsOf('B', 'B', BINARY, 1024);
const RATES = unitsOf('bit/s', 'bps', DECIMAL.slice(0, 5), 1000);
const FREQUENCIES = unitsOf('Hz', 'Hz', DECIMAL.slice(0, 5), 1000);

const UNITS: ReadonlyMap<string, Unit> = new Map(
  [
    ...BYTES,
    ...BINARY_BYTES,
    ...RATES,
    ...unitsOf('bit/s', 'bit/s', DECIMAL.slice(0, 5), 1000),
    ...unitsOf('bit/s', 'b/s', DECIMAL.slice(0, 5), 1000),
    ...FREQUENCIES,
  ].map((unit) => [unit.name, unit]),
);

export function unitNamed(name: string): Unit | undefined {
  return UNITS.get(name);
}

export function unitNames(base?: BaseUnit): string[] {
  return [...UNITS.values()].filter((unit) => base === undefined || unit.base === base).map(({ name }) => name);
}

/** The length limit of a quantity, in characters. */
export const LONGEST_QUANTITY = 64;
const QUANTITY = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?) *([A-Za-z]+(?:\/s)?)$/;

/** Parses `256GiB` or `2.4 GHz` into a value in the base unit. Returns undefined if the text is not a quantity. */
export function quantityOf(text: string): { readonly value: number; readonly unit: Unit } | undefined {
  if (text.length > LONGEST_QUANTITY) return undefined;
  const [, digits = '', name = ''] = QUANTITY.exec(text.trim()) ?? [];
  const unit = unitNamed(name);
  const value = unit && inBaseUnit(digits, unit);
  return unit && value !== undefined ? { value, unit } : undefined;
}

/**
 * Converts a decimal number to its base unit. Rounds numbers of larger units, because `1.3GiB` is no whole number of
 * bytes. Returns undefined if the result is not finite.
 */
export function inBaseUnit(digits: string, { factor }: Unit): number | undefined {
  const value = Number(digits) * factor;
  const rounded = factor === 1 ? value : Math.round(value);
  return Number.isFinite(rounded) ? rounded : undefined;
}

/** The maximum number of decimals. Values that need more decimals are shown in a smaller unit. */
const MOST_DECIMALS = 2;

/** Uses the unit with the fewest digits (`192 GiB`, `1.92 TB`). Rounds to two decimals if no unit fits exactly. */
export function quantityText(value: number, base: BaseUnit): string {
  const [text = ''] = quantityTexts([value], base);
  return text;
}

/** Formats quantities in one common unit, so that readers can compare the quantities. */
export function quantityTexts(values: readonly number[], base: BaseUnit): string[] {
  const scales = base === 'B' ? [BYTES, BINARY_BYTES] : [base === 'Hz' ? FREQUENCIES : RATES];
  const [decimal = [], binary = decimal] = scales.map((scale) => inScale(values, scale));
  const [decimals, binaries] = [decimal, binary].map((each) => each.filter(({ isExact }) => isExact).length);
  const lengthOf = (each: typeof decimal) => each.reduce((sum, { text }) => sum + text.length, 0);
  const isShorter = binaries === values.length && lengthOf(binary) < lengthOf(decimal);
  const isBinary = binaries === decimals ? isShorter : Number(binaries) > Number(decimals);
  return (isBinary ? binary : decimal).map(({ text }) => text);
}

function inScale(values: readonly number[], scale: readonly Unit[]) {
  const least = Math.min(...values.map(Math.abs).filter((value) => value > 0));
  const unit = scale.findLast(({ factor }) => least >= factor && least < Number.POSITIVE_INFINITY) ?? scale[0];
  return values.map((value) => {
    if (!unit) return { text: String(value), isExact: true };
    const scaled = value / unit.factor;
    const rounded = Number(scaled.toFixed(MOST_DECIMALS));
    return { text: `${rounded} ${unit.name}`, isExact: rounded * unit.factor === value || rounded === scaled };
  });
}

const KNOWN: ReadonlyMap<string, BaseUnit> = new Map([
  ['label.ram', 'B'],
  ['label.disk', 'B'],
  ['label.network', 'bit/s'],
]);

const BY_NAME: readonly (readonly [RegExp, BaseUnit | undefined])[] = [
  // `smp_size` and `smt_size` count processors and threads. Fields with the prefix `humanized_` contain texts.
  [/^sm[pt]_size$|^humanized_/, undefined],
  [/^((\w+_)?size|cache(_l\d\w*)?|memory)$/, 'B'],
  [/^(\w+_)?(clock_speed|frequency|clock)$/, 'Hz'],
  [/^(\w+_)?(rate|bandwidth)$/, 'bit/s'],
];

const LONGEST_NAME = 100;

/** Returns undefined if the field has no unit. `path` contains no array indexes. */
export function unitOfField(path: readonly string[]): BaseUnit | undefined {
  const known = KNOWN.get(path.join('.'));
  const name = path.at(-1) ?? '';
  if (known !== undefined || name.length > LONGEST_NAME) return known;
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
}
