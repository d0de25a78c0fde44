/** Where sites are: points in a net of degrees, without any map of others. The table beside it says the same in words. */
import type { Site } from '../data/sites.ts';
import { visible } from '../format/values.ts';

const WIDTH = 720;
const HEIGHT = 260;
/** Around the outermost sites, in degrees. */
const MARGIN = 6;
const STEPS = [1, 2, 5, 10, 20, 30, 45];

interface Frame {
  readonly west: number;
  readonly north: number;
  readonly perDegree: number;
  readonly step: number;
}

export function SiteMap({ sites, named }: { sites: readonly Site[]; named: string | undefined }) {
  const points = pointsOf(sites);
  if (points.length === 0) return null;
  const frame = frameOf(points);
  const x = (longitude: number) => (longitude - frame.west) * frame.perDegree;
  const y = (latitude: number) => (frame.north - latitude) * frame.perDegree;
  const [east, south] = [frame.west + WIDTH / frame.perDegree, frame.north - HEIGHT / frame.perDegree];
  return (
    <svg
      class="map"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label="Where the sites are; the table says it in words"
    >
      {degrees(frame.west, east, frame.step).map((longitude) => (
        <g key={`x${longitude}`}>
          <line x1={x(longitude)} y1={0} x2={x(longitude)} y2={HEIGHT} />
          <text x={x(longitude) + 3} y={HEIGHT - 4}>
            {Math.abs(longitude)}°{longitude < 0 ? 'W' : 'E'}
          </text>
        </g>
      ))}
      {degrees(south, frame.north, frame.step).map((latitude) => (
        <g key={`y${latitude}`}>
          <line x1={0} y1={y(latitude)} x2={WIDTH} y2={y(latitude)} />
          <text x={3} y={y(latitude) - 3}>
            {Math.abs(latitude)}°{latitude < 0 ? 'S' : 'N'}
          </text>
        </g>
      ))}
      {together(points, frame.perDegree).map(({ points: [first, ...others], text }) =>
        first ? (
          <g
            key={first.uid}
            class={[first, ...others].some(({ uid }) => uid === named) ? 'site named' : 'site'}
          >
            {[first, ...others].map(({ uid, latitude, longitude }) => (
              <circle key={uid} cx={x(longitude)} cy={y(latitude)} r={5} />
            ))}
            <text x={x(first.longitude) + 8} y={y(first.latitude) + 4}>
              {text}
            </text>
          </g>
        ) : null,
      )}
    </svg>
  );
}

interface Point {
  readonly uid: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
}

function pointsOf(sites: readonly Site[]): Point[] {
  return sites.flatMap(({ uid, name, position }) => (position ? [{ uid, name, ...position }] : []));
}

/** Names so near to each other that one would stand on the other stand side by side. */
const NEAR_ACROSS = 90;
const NEAR_DOWN = 12;

function together(points: readonly Point[], perDegree: number): { points: readonly Point[]; text: string }[] {
  const groups: Point[][] = [];
  for (const point of points.toSorted((a, b) => a.longitude - b.longitude)) {
    const near = groups.find(([first]) => {
      if (!first) return false;
      const across = Math.abs(first.longitude - point.longitude) * perDegree;
      return across < NEAR_ACROSS && Math.abs(first.latitude - point.latitude) * perDegree < NEAR_DOWN;
    });
    if (near) near.push(point);
    else groups.push([point]);
  }
  return groups.map((group) => ({ points: group, text: group.map(({ name }) => visible(name)).join(', ') }));
}

function frameOf(points: readonly Point[]): Frame {
  const [latitudes, longitudes] = [
    points.map((point) => point.latitude),
    points.map((point) => point.longitude),
  ];
  const [south, north] = [Math.min(...latitudes) - MARGIN, Math.max(...latitudes) + MARGIN];
  const [west, east] = [Math.min(...longitudes) - MARGIN, Math.max(...longitudes) + 3 * MARGIN];
  const perDegree = Math.min(WIDTH / (east - west), HEIGHT / (north - south));
  const [width, height] = [WIDTH / perDegree, HEIGHT / perDegree];
  const step = STEPS.find((degrees) => width / degrees <= 12) ?? 60;
  return { west: (west + east - width) / 2, north: (north + south + height) / 2, perDegree, step };
}

function degrees(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, i) => first + i * step);
}
