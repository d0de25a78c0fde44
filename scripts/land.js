/** The outline of the land, for the map of the sites. The data is Natural Earth 1:110m, which is in the public domain. */
import { readFileSync } from 'node:fs';

/** Degrees. */
const STEP = 0.5;
/** Square degrees. Smaller islands are left out. */
const SMALLEST = 4;

/**
 * Returns the rings of all land, separated by `;`. Each point is `longitude,latitude` in steps of half a degree, relative to
 * the point before. The first point of a ring is relative to 0,0.
 */
export function landOutline() {
  const file = new URL(import.meta.resolve('world-atlas/land-110m.json'));
  const { arcs, transform, objects } = JSON.parse(readFileSync(file, 'utf8'));
  const lines = arcs.map((arc) => pointsOf(arc, transform));
  const lineOf = (arc) => (arc < 0 ? lines[~arc].toReversed() : lines[arc]);
  const polygons = objects.land.geometries.flatMap(({ type, arcs }) => (type === 'MultiPolygon' ? arcs : [arcs]));
  const rings = polygons.flat().map((ring) => ring.flatMap(lineOf).filter(isNewPoint));
  return rings
    .filter((ring) => area(ring) >= SMALLEST)
    .map((ring) => acrossDateLine(ring).filter(isCorner))
    .map((ring) => ring.map(([x, y], i) => [x - (ring[i - 1]?.[0] ?? 0), y - (ring[i - 1]?.[1] ?? 0)].join()).join(' '))
    .join(';');
}

/** Lets a ring continue beyond 180 degrees. Otherwise its line would cross the whole map. */
function acrossDateLine(ring) {
  const turn = 360 / STEP;
  let turns = 0;
  const longitudes = ring.map(([x], i) => {
    turns -= Math.round((x - (ring[i - 1]?.[0] ?? x)) / turn);
    return x + turns * turn;
  });
  const middle = (Math.min(...longitudes) + Math.max(...longitudes)) / 2;
  const back = Math.round(middle / turn) * turn;
  return ring.map(([, y], i) => [longitudes[i] - back, y]);
}

/** TopoJSON, section 2.1.3: positions are integers, relative to the position before. */
function pointsOf(arc, { scale, translate }) {
  let [x, y] = [0, 0];
  return arc.map(([right, up]) => {
    x += right;
    y += up;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]].map((degrees) => Math.round(degrees / STEP));
  });
}

function isNewPoint([x, y], i, ring) {
  return x !== ring[i - 1]?.[0] || y !== ring[i - 1]?.[1];
}

/** Returns false for a point on the line between its neighbours, because the outline is equal without this point. */
function isCorner([x, y], i, ring) {
  const [[lastX, lastY] = [], [nextX, nextY] = []] = [ring[i - 1], ring[i + 1]];
  // The first and the last point are corners: with an undefined number, the products are not equal.
  return (x - lastX) * (nextY - y) !== (nextX - x) * (y - lastY);
}

/** In square degrees. */
function area(ring) {
  const twice = ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length];
    return sum + x * nextY - nextX * y;
  }, 0);
  return (Math.abs(twice) / 2) * STEP * STEP;
}
