/** The views by the paths that they have in the fragment. */
import type { ComponentType } from 'preact';
import type { AppState } from './app-state.ts';
import type { More } from './data/more.ts';
import { Nodes } from './views/nodes.tsx';

export interface ExplorerView {
  readonly path: string;
  readonly title: string;
  /** What shows it; the name of it where it comes with the second script. */
  readonly Show: ComponentType<{ state: AppState }> | ViewName;
}

type ViewName = {
  [Name in keyof More]: More[Name] extends ComponentType<{ state: AppState }> ? Name : never;
}[keyof More];

export const VIEWS: readonly ExplorerView[] = [
  { path: 'nodes', title: 'Nodes', Show: Nodes },
  { path: 'compare', title: 'Compare', Show: 'Compare' },
  { path: 'time', title: 'Time', Show: 'Time' },
  { path: 'changes', title: 'Changes', Show: 'Changes' },
  { path: 'sites', title: 'Sites', Show: 'Sites' },
  { path: 'statistics', title: 'Statistics', Show: 'Statistics' },
  { path: 'experiment', title: 'My experiment', Show: 'Experiment' },
  { path: 'fields', title: 'Fields', Show: 'Fields' },
];

const NODE: ExplorerView = { path: 'node', title: 'Node', Show: 'NodeView' };
const NOWHERE: ExplorerView = { path: '', title: 'Not found', Show: 'Nowhere' };

export function viewOf(path: string): ExplorerView {
  if (path === '') return VIEWS[0] ?? NOWHERE;
  if (/^sites\/[^/]+\/clusters\/[^/]+\/nodes\/[^/]+$/.test(path)) return NODE;
  if (/^sites\/[^/]+$/.test(path)) return VIEWS.find((view) => view.path === 'sites') ?? NOWHERE;
  return VIEWS.find((view) => view.path === path) ?? NOWHERE;
}
