/** All that the page can do without until its first rows are there: its script is loaded after them. */
export { registryAt } from './data/history.ts';
export { profilesOf } from './fleet/profiles.ts';
export { search } from './fleet/search.ts';
export { ColumnChoice } from './parts/column-choice.tsx';
export { TakeAlong } from './parts/take-along.tsx';
export { Changes } from './views/changes.tsx';
export { Compare } from './views/compare.tsx';
export { Experiment } from './views/experiment.tsx';
export { Fields } from './views/fields.tsx';
export { NodeView } from './views/node.tsx';
export { Nowhere } from './views/nowhere.tsx';
export { Sites } from './views/sites.tsx';
export { Statistics } from './views/statistics.tsx';
export { Time } from './views/time.tsx';
