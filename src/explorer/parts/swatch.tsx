import { byCodeUnit } from '../../core/model/json.ts';
import type { ValueCount } from '../fleet/site-summaries.ts';
import { counted, visible } from './value.tsx';

export const MOST_COLOURED = 6;

/**
 * Six colours that colour-blind people can distinguish (Okabe and Ito), one colour for other values, and one for nodes
 * without a value.
 */
const COLORS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#888', 'rgb(128 128 128 / 20%)'];

export function colorAt(place: number): string {
  return COLORS[place] ?? '';
}

/** Returns the index of a value's colour. All values after the most frequent ones share one colour. */
export function layerOf(place: number): number {
  return place < 0 ? MOST_COLOURED : Math.min(place, MOST_COLOURED);
}

export function Swatch({ place }: { readonly place: number }) {
  return <span class="swatch" style={{ background: colorAt(place) }} aria-hidden="true" />;
}

/**
 * Returns values in the order of their colours, the most frequent value first. So a site has the same colour in all
 * plots.
 */
export function byFrequency(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].sort((a, b) => b[1] - a[1] || byCodeUnit(a[0], b[0])).map(([value]) => value);
}

interface ShareBarProps {
  readonly shares: readonly ValueCount[];
  /** The index of the colour in the list of colours. */
  readonly place: number;
}

/** The strength of a shade, as a share of the strength of the previous shade. */
const FADING = 0.7;
/** The minimum strength of a shade, in percent. */
const LEAST_STRENGTH = 15;

/**
 * Shows the shares of values as a bar, in shades of one colour. The bar has no text, so a list of the values must be
 * next to it.
 */
export function ShareBar({ shares, place }: ShareBarProps) {
  const total = shares.reduce((sum, { nodes }) => sum + nodes, 0);
  return (
    <span class="parts share" aria-hidden="true">
      {shares.map(({ text, nodes }, i) => {
        const strength = Math.max(LEAST_STRENGTH, 100 * FADING ** i);
        const background = `color-mix(in srgb, ${colorAt(place)} ${strength}%, var(--paper))`;
        return (
          <span
            key={text}
            style={{ width: `${(100 * nodes) / total}%`, background }}
            title={`${visible(text)}: ${counted(nodes, 'node')}`}
          />
        );
      })}
    </span>
  );
}
