/** The outline of the land, for the map of the sites. The data is Natural Earth 1:110m, which is in the public domain. */
import { readFileSync } from 'node:fs';
import { feature } from 'topojson-client';
import { presimplify, simplify, sphericalTriangleArea } from 'topojson-simplify';

/** The unit of the outline, in degrees. */
const STEP = 0.2;
/** A point is left out if its triangle with its neighbours is smaller. In square degrees at the equator. */
const SMALLEST_TRIANGLE = 0.1;
/** Square degrees. Smaller islands are left out. */
const SMALLEST_ISLAND = 4;

/** Returns an SVG path of all land, in steps of degrees: longitudes to the right, latitudes upwards. */
export function landOutline() {
  const topology = JSON.parse(readFileSync(new URL(import.meta.resolve('world-atlas/land-110m.json')), 'utf8'));
  const simplified = simplify(presimplify(topology, sphericalTriangleArea), SMALLEST_TRIANGLE * (Math.PI / 180) ** 2);
  const { features } = feature(simplified, simplified.objects.land);
  const rings = features.flatMap(({ geometry }) => geometry.coordinates.flat());
  const paths = rings.filter((ring) => area(ring) >= SMALLEST_ISLAND).map((ring) => pathOf(acrossDateLine(ring)));
  return { step: STEP, path: paths.join('') };
}

/** Lets a ring continue beyond 180 degrees. Otherwise its line would cross the whole map. */
function acrossDateLine(ring) {
  let turns = 0;
  const longitudes = ring.map(([x], i) => {
    turns -= Math.round((x - (ring[i - 1]?.[0] ?? x)) / 360);
    return x + turns * 360;
  });
  const middle = (Math.min(...longitudes) + Math.max(...longitudes)) / 2;
  const back = Math.round(middle / 360) * 360;
  return ring.map(([, y], i) => [longitudes[i] - back, y]);
}

/** Each point after the first is relative to the point before it, because small numbers compress well. */
function pathOf(ring) {
  const points = ring.map((degrees) => degrees.map((each) => Math.round(each / STEP)));
  const [first, ...others] = points;
  const lines = others.map(([x, y], i) => text(x - points[i][0]) + text(y - points[i][1]));
  return `M${first.join(' ')}l${lines.join('').trim()}z`;
}

/** SVG needs no space before a sign. */
const text = (number) => (number < 0 ? `${number}` : ` ${number}`);

/** In square degrees. */
function area(ring) {
  const twice = ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length];
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.abs(twice) / 2;
}
