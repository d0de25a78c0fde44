import { renderPage } from '../../api/explorer/explorer.ts';
import { EXPLORER_PATHS } from '../../api/explorer/explorer-paths.ts';
import { renderPastTwin } from '../../api/explorer/past-twin.ts';
import { hasTwins, renderHistoryTwin, renderTwins } from '../../api/explorer/twins.ts';
import type { View } from '../../api/item.ts';
import type { NodePlan } from './plan-nodes.ts';
import type { PlannedDocument } from './planned.ts';

export function* explorerDocuments(
  view: View,
  { past, facets }: Pick<NodePlan, 'past' | 'facets'>,
  modified: number,
): Generator<PlannedDocument> {
  const files = view.publication.explorer;
  if (!files || !view.state) return;
  const { page, script, more, style, icon } = EXPLORER_PATHS;
  const common = { cache: 'mutable', modified } as const;
  yield { ...common, url: page, form: 'html', body: () => renderPage(view, files) };
  yield { ...common, url: script, form: 'js', body: () => files.script };
  yield { ...common, url: more, form: 'js', body: () => files.more };
  yield { ...common, url: style, form: 'css', body: () => files.style };
  yield { ...common, url: icon, form: 'svg', body: () => files.icon };
  if (!hasTwins(view)) return;
  const twin = { ...common, form: 'js' } as const;
  yield { ...twin, url: EXPLORER_PATHS.data, body: () => renderTwins(view, facets(), past()) };
  yield { ...twin, url: EXPLORER_PATHS.history, body: () => renderHistoryTwin(view, past()) };
  yield { ...twin, url: EXPLORER_PATHS.past, body: () => renderPastTwin(view) };
}
