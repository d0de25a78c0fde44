/** The part of the plan that is the explorer: a page, its scripts, and copies of documents for a page opened from a folder. */

import { renderPage } from '../../api/explorer/explorer.ts';
import { EXPLORER_PATHS } from '../../api/explorer/explorer-paths.ts';
import { hasOfflineCopies, renderOfflineCopies } from '../../api/explorer/offline-copies.ts';
import type { View } from '../../api/item.ts';
import type { PlannedDocument, PlanSection } from './planned.ts';

/** `sections` list the documents that the page can read. */
export function* explorerDocuments(
  view: View,
  sections: readonly PlanSection<PlannedDocument>[],
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
  if (!hasOfflineCopies(view)) return;
  for (const part of ['data', 'history', 'past'] as const)
    yield {
      ...common,
      url: EXPLORER_PATHS[part],
      form: 'js',
      body: () => renderOfflineCopies(view, part, listed(sections)),
    };
}

function* listed(sections: readonly PlanSection<PlannedDocument>[]): Generator<PlannedDocument> {
  for (const { list } of sections) yield* list();
}
