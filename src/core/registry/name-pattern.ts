/** Names by the dozen: `c-{01..20}` is c-01 to c-20, and `r{1,3}-{a,b}` r1-a, r1-b, r3-a and r3-b, as shells have them. */

/** More than any cluster has: a mistyped range ends here. */
const MOST = 10_000;

/** The names that a pattern stands for; undefined where they are too many. */
export function namesOf(pattern: string): string[] | undefined {
  const braces = /\{([^{}]*)\}/.exec(pattern);
  if (!braces) return [pattern];
  const [whole, inside = ''] = braces;
  const before = pattern.slice(0, braces.index);
  const rest = namesOf(pattern.slice(braces.index + whole.length));
  const here = rangeOf(inside) ?? (inside.includes(',') ? inside.split(',') : [whole]);
  if (!rest || here.length * rest.length > MOST) return undefined;
  return here.flatMap((part) => rest.map((end) => before + part + end));
}

/** `01..20`, with as many digits as its ends have where one of them begins with a zero. */
function rangeOf(text: string): string[] | undefined {
  const [, from = '', to = ''] = /^(\d+)\.\.(\d+)$/.exec(text) ?? [];
  if (from === '') return undefined;
  const [first, last] = [Number(from), Number(to)];
  const count = Math.abs(last - first) + 1;
  const width = [from, to].some((end) => /^0\d/.test(end)) ? Math.max(from.length, to.length) : 0;
  const step = first <= last ? 1 : -1;
  return Array.from({ length: Math.min(count, MOST + 1) }, (_, i) => String(first + i * step).padStart(width, '0'));
}
