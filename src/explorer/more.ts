/** The second script. It contains everything that the first rows do not need. */
export { withAllFields } from './data/all-fields.ts';
export { registryAt } from './data/history.ts';
export { profilesOf } from './fleet/profiles.ts';
export { search } from './fleet/search.ts';
export { filtersOfQuery, queryOfFilters } from './fleet/words.ts';
export { ColumnChoice } from './parts/column-choice.tsx';
export { ExportMenu } from './parts/export-menu.tsx';
export { Recently } from './parts/recently.tsx';
export { Changes } from './views/changes.tsx';
export { Compare } from './views/compare.tsx';
export { Fields } from './views/fields.tsx';
export { Hardware } from './views/hardware.tsx';
export { LockCheck } from './views/lock-check.tsx';
export { NodeView } from './views/node.tsx';
export { NotFound } from './views/not-found.tsx';
export { Sites } from './views/sites.tsx';
export { Statistics } from './views/statistics.tsx';
export { Time } from './views/time.tsx';
