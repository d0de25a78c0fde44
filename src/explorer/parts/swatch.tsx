import { byCodeUnit } from '../../core/model/json.ts';

export const MOST_COLOURED = 6;

/** Colors that colour-blind readers can distinguish (Okabe and Ito), then others, and nodes without a value. */
const COLORS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#888', 'rgb(128 128 128 / 20%)'];

export function colorAt(place: number): string {
  return COLORS[place] ?? '';
}

export function Swatch({ place }: { readonly place: number }) {
  return <span class="swatch" style={{ background: colorAt(place) }} aria-hidden="true" />;
}

/** Returns values in the order of their colours: the most frequent value first. A site has one colour in all plots. */
export function byFrequency(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].sort((a, b) => b[1] - a[1] || byCodeUnit(a[0], b[0])).map(([value]) => value);
}
