/** The size of an L3 cache is a multiple of `L3_STEP` bytes. L1 and L2 sizes are multiples of `SMALL_STEP`. */
const SMALL_STEP = 4096;
const L3_STEP = 2 ** 18;

/** Returns the bytes of one cache. lscpu can print the rounded total of several caches: `3.8 MiB (80 instances)`. */
export function cacheSize(text: string | undefined, level: 'l1d' | 'l1i' | 'l2' | 'l3'): number | undefined {
  const [, digits, unit = '', count] =
    /^(\d+(?:\.\d+)?) ?([KMG])(?:iB|B)?(?: \((\d+) instances?\))?$/.exec(text ?? '') ?? [];
  if (digits === undefined || count === '0') return undefined;
  const factor = 1024 ** ('KMG'.indexOf(unit) + 1);
  if (count === undefined) return Math.round(Number(digits) * factor);
  const step = level === 'l3' ? L3_STEP : SMALL_STEP;
  const bound = (error: number) => ((Number(digits) + error) * factor) / Number(count);
  const size = Math.ceil(bound(-0.05) / step) * step;
  return size < bound(0.05) && size + step >= bound(0.05) ? size : undefined;
}
