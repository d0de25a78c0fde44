/** A map of the sites. The area of a dot is proportional to the site's number of nodes. */

import type { ViewProps } from '../app-state.ts';
import type { Site } from '../data/sites.ts';
import { type Dot, LEAST_RADIUS, placedLabels } from '../fleet/placed-labels.ts';
import { linkWithin } from '../state/place.ts';
import { useWidth } from '../state/use-width.ts';
import { counted, plainNumber, visible } from './value.tsx';

/** An SVG path of the land. The bundler replaces these constants with the result of `landOutline` in scripts/land.js. */
declare const LAND_PATH: string;
/** The unit of the path, in degrees. */
declare const LAND_STEP: number;

/** Heights of the map, in pixels. */
const HEIGHTS = { most: 360, least: 200 };
/** The height of the map as a share of the width. */
const ASPECT = 0.45;
/** The radius of the dot of the largest site, in pixels. */
const MOST_RADIUS = 16;
/** The margin around the sites, as a share of the map's width and height. The names of the outermost sites need it. */
const MARGIN_SHARE = 0.15;
/** The maximum width of the left and the right margin, in pixels. */
const MOST_MARGIN = 100;
/** The minimum width of a degree of longitude on the map, as a share of the height of a degree of latitude. */
const LEAST_SHORTER = 0.2;
const LEAST_SPAN = 5;
const STEPS = [1, 2, 5, 10, 20, 30, 45];
/** The length of a degree of latitude, in kilometres. At the equator, a degree of longitude has the same length. */
const KM_PER_DEGREE = 111.2;
/** The maximum length of the scale bar, as a share of the map's width. */
const LONGEST_BAR = 0.2;
const GAP = 8;
/** The space for the label of a line of latitude or longitude, in pixels. */
const DEGREES_WIDTH = 40;
const LINE_HEIGHT = 14;
/** The minimum distance between two lines of longitude, in pixels. */
const STEP = 70;

interface MapProps extends ViewProps {
  readonly sites: readonly Site[];
  readonly nodesOf: (site: string) => number;
}

export function SiteMap({ state, sites, nodesOf }: MapProps) {
  const { ref, width } = useWidth();
  const all = pointsOf(sites);
  if (all.length === 0) return null;
  const points = withoutFarPoints(all);
  const far = all.filter((point) => !points.includes(point));
  const height = Math.max(HEIGHTS.least, Math.min(HEIGHTS.most, Math.round(ASPECT * width)));
  const frame = frameOf(points, width, height);
  const x = (longitude: number) => Math.round((longitude - frame.west) * frame.across);
  const y = (latitude: number) => Math.round((frame.north - latitude) * frame.perDegree);
  const [east, south] = [frame.west + width / frame.across, frame.north - height / frame.perDegree];
  const nameOf = (uid: string) => visible(points.find((point) => point.uid === uid)?.name ?? uid);
  const most = Math.max(1, ...points.map(({ uid }) => nodesOf(uid)));
  // Small dots come last, so that large dots do not cover them.
  const dots = points
    .map(({ uid, name, latitude, longitude }): Dot => {
      const radius = Math.max(LEAST_RADIUS, Math.sqrt(nodesOf(uid) / most) * MOST_RADIUS);
      const label = nodesOf(uid) > 0 ? `${visible(name)} ${plainNumber(nodesOf(uid))}` : visible(name);
      return { uid, name: label, x: x(longitude), y: y(latitude), radius };
    })
    .sort((a, b) => b.radius - a.radius);
  const km = roundBelow((LONGEST_BAR * width * KM_PER_DEGREE) / frame.perDegree);
  const bar = Math.round((km / KM_PER_DEGREE) * frame.perDegree);
  return (
    <>
      <div class="map" ref={ref}>
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
          <title>Map of the sites in the table</title>
          <path
            class="land"
            d={LAND_PATH}
            transform={`translate(${x(0)} ${y(0)}) scale(${LAND_STEP * frame.across} ${-LAND_STEP * frame.perDegree})`}
          />
          {degrees(Math.max(-180, frame.west), Math.min(180, east), frame.step).map((longitude) => (
            <g key={`x${longitude}`}>
              <line x1={x(longitude)} y1={0} x2={x(longitude)} y2={height} />
              {x(longitude) + DEGREES_WIDTH <= width ? (
                <text x={x(longitude) + 3} y={height - 4}>
                  {degreesText(longitude, 'EW')}
                </text>
              ) : null}
            </g>
          ))}
          {degrees(Math.max(-90, south), Math.min(90, frame.north), frame.step).map((latitude) => (
            <g key={`y${latitude}`}>
              <line x1={0} y1={y(latitude)} x2={width} y2={y(latitude)} />
              {y(latitude) >= LINE_HEIGHT ? (
                <text x={3} y={y(latitude) - 3}>
                  {degreesText(latitude, 'NS')}
                </text>
              ) : null}
            </g>
          ))}
          <line class="scale" x1={width - GAP - bar} y1={GAP} x2={width - GAP} y2={GAP} />
          <text x={width - 2 * GAP - bar} y={1.5 * GAP} text-anchor="end">
            {plainNumber(km)} km
          </text>
          {dots.map((dot) => (
            // The keyboard skips this link, because the table contains a link with the same target.
            <a key={dot.uid} href={linkWithin(state.place, `sites/${dot.uid}`)} tabIndex={-1} aria-label={dot.name}>
              <circle class={nodesOf(dot.uid) > 0 ? undefined : 'empty'} cx={dot.x} cy={dot.y} r={dot.radius}>
                <title>{`${nameOf(dot.uid)}: ${counted(nodesOf(dot.uid), 'node')}`}</title>
              </circle>
            </a>
          ))}
          {placedLabels(dots, { width, height }).map((label) => (
            <text key={label.text} class="site" x={label.x} y={label.y} text-anchor={label.anchor}>
              {label.text}
            </text>
          ))}
        </svg>
      </div>
      {far.length === 0 ? null : (
        <p class="absent">
          Not on the map, because they are far from all other sites (check the coordinates):{' '}
          {far
            .map(
              ({ name, latitude, longitude }) =>
                `${visible(name)} (${degreesText(latitude, 'NS')}, ${degreesText(longitude, 'EW')})`,
            )
            .join(', ')}
          .
        </p>
      )}
    </>
  );
}

function degreesText(degrees: number, directions: string): string {
  return `${Number(Math.abs(degrees).toFixed(1))}°${directions.charAt(degrees < 0 ? 1 : 0)}`;
}

/** A site is far if no other site is within this number of degrees of latitude and longitude. */
const FAR = 60;
/** The map hides far sites only if at least this number of sites are near each other. */
const FEWEST_NEAR = 3;

/** Removes points that are far from all other points, such as a site with a wrong sign. */
function withoutFarPoints(points: readonly Point[]): readonly Point[] {
  const near = points.filter((point) =>
    points.some(
      (other) =>
        other !== point &&
        Math.abs(other.latitude - point.latitude) < FAR &&
        Math.abs(other.longitude - point.longitude) < FAR,
    ),
  );
  return near.length < FEWEST_NEAR ? points : near;
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

function frameOf(points: readonly Point[], width: number, height: number) {
  const [latitudes, longitudes] = [points.map((point) => point.latitude), points.map((point) => point.longitude)];
  const [south, north] = [Math.min(...latitudes), Math.max(...latitudes)];
  const [west, east] = [Math.min(...longitudes), Math.max(...longitudes)];
  // The whole map uses the width of a degree of longitude at the middle latitude.
  const shorter = Math.max(LEAST_SHORTER, Math.cos((((south + north) / 2) * Math.PI) / 180));
  const perDegree = Math.min(
    (width - 2 * Math.min(MOST_MARGIN, MARGIN_SHARE * width)) / Math.max(LEAST_SPAN, east - west) / shorter,
    (height - 2 * MARGIN_SHARE * height) / Math.max(LEAST_SPAN, north - south),
  );
  const across = perDegree * shorter;
  return {
    west: (west + east - width / across) / 2,
    north: (north + south + height / perDegree) / 2,
    /** Pixels per degree of latitude. */
    perDegree,
    /** Pixels per degree of longitude. */
    across,
    step: STEPS.find((degrees) => degrees * across >= STEP) ?? 60,
  };
}

/** Rounds down to 1, 2 or 5 times a power of ten. */
function roundBelow(number: number): number {
  const power = 10 ** Math.floor(Math.log10(number));
  return power * (number >= 5 * power ? 5 : number >= 2 * power ? 2 : 1);
}

function degrees(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, i) => first + i * step);
}
