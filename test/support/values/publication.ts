/**
 * A small publication with four revisions, in both dialects.
 *
 * a adds the grid, the site x and below it the cluster c and the node n; b replaces a disk of n; c adds the site y, and
 * the flavor f to x; d removes y. In another history, e then adds one of each kind of equipment to x, and one to the
 * grid.
 */

import { dialectOf } from '../../../src/core/api/dialect.ts';
import { CACHE_CONTROL } from '../../../src/core/api/endpoints.ts';
import { currentView, snapshotView, type View } from '../../../src/core/api/item.ts';
import type { Publication } from '../../../src/core/api/publication.ts';
import { documentSchemas } from '../../../src/core/api/schemas/document-schemas.ts';
import { resourceHistories } from '../../../src/core/history/resource-history.ts';
import { labelling } from '../../../src/core/labels/labels.ts';
import type { RevisionHeader } from '../../../src/core/model/revision.ts';
import { surveyNodes } from '../../../src/core/table/node-survey.ts';
import { headerOf, idOf } from './headers.ts';
import { added, historyOf, removed, type Step } from './history.ts';

export const [A, B, C, D] = [idOf('a'), idOf('b'), idOf('c'), idOf('d')];

export const SITE_X = 'sites/x';
export const CLUSTER_C = 'sites/x/clusters/c';
export const NODE_N = 'sites/x/clusters/c/nodes/n';
export const FLAVOR_F = 'sites/x/flavors/f';

/** The resources that e adds, by kind. */
export const EQUIPMENT = {
  server: ['sites/x/servers/e'],
  pdu: ['sites/x/pdus/e'],
  network_equipment: ['sites/x/network_equipments/e', 'network_equipments/e'],
  environment: ['sites/x/environments/e', 'environments/e'],
} as const;

const DATES: Readonly<Record<string, string>> = {
  a: '2026-03-01T12:00:00+01:00',
  b: '2026-03-01T12:00:00+01:00',
  c: '2026-02-28T00:00:00Z',
  d: '2026-03-02T00:00:00Z',
  e: '2026-03-03T00:00:00Z',
};

function dated(line: string): RevisionHeader {
  const header = headerOf(line);
  return { ...header, date: DATES[header.message] ?? '', message: `The "${header.message}"\nrevision` };
}

const STEPS: readonly Step[] = [
  [
    'a:',
    added('', { type: 'grid', uid: 'g' }),
    added(SITE_X, { type: 'site', uid: 'x', name: 'X', site_class: 'baremetal' }),
    added(CLUSTER_C, { type: 'cluster', uid: 'c' }),
    added(NODE_N, { uid: 'n', type: 'node', serial: 'A1' }),
  ],
  ['b: a', { action: 'updated', path: NODE_N, fields: [{ at: '/serial', from: 'A1', to: 'B1' }] }],
  [
    'c: b',
    added('sites/y', { type: 'site', uid: 'y', name: 'Ÿ "quoted"' }),
    added(FLAVOR_F, { type: 'flavor', uid: 'f', vcpus: 2 }),
  ],
  ['d: c', removed('sites/y')],
];

const SMALL = historyOf(STEPS, dated);

const equipment = Object.entries(EQUIPMENT).flatMap(([type, paths]) =>
  paths.map((path) => added(path, { type, uid: 'e' })),
);
export const EQUIPPED = historyOf([...STEPS, ['e: d', ...equipment]], dated);

/** Has snapshots of c and a. */
export function publication(dialect: 'current' | 'legacy', { history, store } = SMALL): Publication {
  const head = history.states.length - 1;
  const current = history.states[head] ?? null;
  return {
    history,
    histories: resourceHistories(history),
    bound: undefined,
    store,
    dialect: dialectOf({ dialect, vendor: 'acme', release: '1.2' }),
    basePath: '/api/v1',
    baseUrl: '/api/v1',
    head,
    labels: labelling(undefined),
    maxFoundNodes: 20_000,
    maxHistoryLength: 1e6,
    maxOfflineHistoryLength: 1e6,
    groupingFields: ['type'],
    hasTimemaps: true,
    hasNames: true,
    hasExports: true,
    schemas: () => documentSchemas(dialect),
    nodes: () => surveyNodes(current, store),
    current,
    explorer: undefined,
    explorerLinks: [],
    badges: 'none',
    citation: undefined,
    sunset: undefined,
    cacheControl: CACHE_CONTROL,
    timeShift: 0,
    orderShift: 0,
    deep: { maxItems: 100, inSnapshots: false },
    snapshots: new Set([2, 0]),
    linkedRevisions: new Set<number>(),
  };
}

export function current(dialect: 'current' | 'legacy' = 'current'): View {
  return currentView(publication(dialect));
}

/** The snapshot of the revision c. */
export function snapshotOfC(dialect: 'current' | 'legacy' = 'current'): View {
  return snapshotView(publication(dialect), 2);
}
