import { byCodeUnit } from '../../core/model/json.ts';
import type { ValueCount } from '../fleet/site-summaries.ts';
import { counted, visible } from './value.tsx';

export const MOST_COLOURED = 6;

/** Six colours for colour-blind people (Okabe and Ito), one for all remaining values, and one for missing values. */
const COLORS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#888', 'rgb(128 128 128 / 20%)'];

export function colorAt(index: number): string {
  return COLORS[index] ?? '';
}

/** Returns the colour index of the value at a rank. All values after the most frequent ones share a colour. */
export function layerOf(rank: number): number {
  return rank < 0 ? MOST_COLOURED : Math.min(rank, MOST_COLOURED);
}

export function Swatch({ colorIndex }: { readonly colorIndex: number }) {
  return <span class="swatch" style={{ background: colorAt(colorIndex) }} aria-hidden="true" />;
}

/** Sorts values by number of nodes. Plots assign colours in this order, so each site has one colour in all plots. */
export function byFrequency(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].sort((a, b) => b[1] - a[1] || byCodeUnit(a[0], b[0])).map(([value]) => value);
}

interface ShareBarProps {
  readonly shares: readonly ValueCount[];
  readonly colorIndex: number;
}

/** The strength of each shade is the strength of the previous shade times this factor. */
const FADING = 0.7;
/** The minimum strength of a shade, in percent. */
const LEAST_STRENGTH = 15;

/** Shows the shares of values as a bar. The bar has no text, so callers must also list the values. */
export function ShareBar({ shares, colorIndex }: ShareBarProps) {
  const total = shares.reduce((sum, { nodes }) => sum + nodes, 0);
  return (
    <span class="parts share" aria-hidden="true">
      {shares.map(({ text, nodes }, i) => {
        const strength = Math.max(LEAST_STRENGTH, 100 * FADING ** i);
        const background = `color-mix(in srgb, ${colorAt(colorIndex)} ${strength}%, var(--paper))`;
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
