/** How numbers are spread, as bars; the numbers themselves stand beside it as text. */

const WIDTH = 200;
const HEIGHT = 32;
const GAP = 1;

export interface Bin {
  readonly label: string;
  readonly all: number;
  readonly shown: number;
}

export function Histogram({ bins, label }: { bins: readonly Bin[]; label: string }) {
  const most = Math.max(1, ...bins.map(({ all }) => all));
  const width = WIDTH / Math.max(1, bins.length);
  const bar = (i: number, nodes: number, kind: string) => {
    const height = nodes === 0 ? 0 : Math.max(1.5, (nodes / most) * HEIGHT);
    return <rect class={kind} x={i * width} y={HEIGHT - height} width={Math.max(1, width - GAP)} height={height} />;
  };
  return (
    <svg class="histogram" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {bins.map(({ label, all, shown }, i) => (
        <g key={label}>
          <title>{label}</title>
          {bar(i, all, 'all')}
          {bar(i, shown, 'shown')}
        </g>
      ))}
    </svg>
  );
}
