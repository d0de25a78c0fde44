/** Sites in an area, such as a country, are usually near each other. An area is the last part of a location. */
import type { JsonObject } from '../../model/json.ts';
import type { Far, FleetNode, Location, LocationProblem } from './fact.ts';

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

interface Site extends Point {
  readonly member: FleetNode;
  readonly area: string;
}

/** The distance above which two sites of an area, such as a country, are far apart. Few countries are this wide. */
const FAR_KM = 5000;
/** A site is checked if its area has at least this many other sites. Of only two sites, either could be wrong. */
const LEAST_OTHERS = 2;
const EARTH_RADIUS_KM = 6371;
const [MOST_NORTH, MOST_EAST] = [90, 180];

export function locations(described: readonly { readonly member: FleetNode; readonly body: JsonObject }[]): Location[] {
  const facts: Location[] = [];
  const sites: Site[] = [];
  for (const { member, body } of described) {
    const { latitude, longitude } = body;
    const problems = coordinateProblems(latitude, longitude);
    facts.push(...problems.map(([field, problem]) => fact(member, field, problem)));
    const area = areaOf(body['location']);
    const isPoint = problems.length === 0 && typeof latitude === 'number' && typeof longitude === 'number';
    if (isPoint && area !== undefined) sites.push({ member, latitude, longitude, area });
  }
  for (const site of sites) {
    const far = farFrom(
      site,
      sites.filter((other) => other !== site && other.area.toLowerCase() === site.area.toLowerCase()),
    );
    if (far) facts.push(fact(site.member, 'longitude', { problem: 'far', ...far }));
  }
  return facts;
}

function fact(member: FleetNode, field: string, problem: LocationProblem): Location {
  return { check: 'location', kind: 'location', field: [field], members: [member], problem };
}

function coordinateProblems(
  latitude: unknown,
  longitude: unknown,
): (readonly [field: string, problem: LocationProblem])[] {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') {
    if (typeof latitude === 'number') return [['latitude', { problem: 'half', missing: 'longitude' }]];
    return typeof longitude === 'number' ? [['longitude', { problem: 'half', missing: 'latitude' }]] : [];
  }
  if (latitude === 0 && longitude === 0) return [['latitude', { problem: 'zero' }]];
  const problems: [string, LocationProblem][] = [];
  if (Math.abs(latitude) > MOST_NORTH) {
    const swaps = Math.abs(latitude) <= MOST_EAST && Math.abs(longitude) <= MOST_NORTH;
    problems.push(['latitude', { problem: 'range', value: latitude, limit: MOST_NORTH, swaps }]);
  }
  if (Math.abs(longitude) > MOST_EAST)
    problems.push(['longitude', { problem: 'range', value: longitude, limit: MOST_EAST, swaps: false }]);
  return problems;
}

/** Returns the area of a location: `Brackmoor, North Wold` is in `North Wold`. */
function areaOf(location: unknown): string | undefined {
  const last = typeof location === 'string' ? location.split(',').at(-1)?.trim() : undefined;
  return last === '' ? undefined : last;
}

function farFrom(site: Site, others: readonly Site[]): Far | undefined {
  const far = others.filter((other) => kilometres(site, other) > FAR_KM);
  // More than half of all sites in the area must be far away. Two equal groups of sites are not reported.
  if (others.length < LEAST_OTHERS || far.length * 2 <= others.length + 1) return undefined;
  const km = Math.floor(Math.min(...far.map((other) => kilometres(site, other))) / 100) * 100;
  const correction = correctionOf(site, far);
  return { area: site.area, count: far.length, others: others.length, km, ...(correction ? { correction } : {}) };
}

/** The maximum distance between a site with suggested coordinates and another site of its area. */
const NEAR_KM = 1000;

function correctionOf(site: Site, others: readonly Site[]): Far['correction'] {
  const { latitude, longitude } = site;
  const corrections = [
    { what: 'longitude-sign', point: { latitude, longitude: -longitude } },
    { what: 'latitude-sign', point: { latitude: -latitude, longitude } },
    { what: 'swap', point: { latitude: longitude, longitude: latitude } },
  ] as const;
  const candidates = corrections.flatMap(({ what, point }) =>
    Math.abs(point.latitude) > MOST_NORTH
      ? []
      : others.map((other) => ({ what, near: other.member.name, km: kilometres(point, other) })),
  );
  const best = candidates.sort((a, b) => a.km - b.km)[0];
  return best && best.km <= NEAR_KM ? { what: best.what, near: best.near } : undefined;
}

/** Returns the great-circle distance in kilometres (haversine formula). */
function kilometres(a: Point, b: Point): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half = (one: number, other: number) => Math.sin(radians(one - other) / 2) ** 2;
  const across = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude));
  const chord = half(a.latitude, b.latitude) + across * half(a.longitude, b.longitude);
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(Math.min(1, chord)));
}
