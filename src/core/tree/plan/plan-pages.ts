import { componentName } from '../../api/description/components.ts';
import {
  CATALOG_PATH,
  LINKS_PATH,
  OPENAPI_PATH,
  REFERENCE_PATH,
  STYLE_PATH,
  schemaUrl,
} from '../../api/description/description-paths.ts';
import { renderCatalog, renderLinkList } from '../../api/description/link-list.ts';
import { describeApi, renderOpenapi } from '../../api/description/openapi.ts';
import { REFERENCE_STYLE, renderReference } from '../../api/description/reference-page.ts';
import { type Endpoint, endpointOf } from '../../api/endpoints.ts';
import { renderPage } from '../../api/explorer/explorer.ts';
import { EXPLORER_PATHS } from '../../api/explorer/explorer-paths.ts';
import { hasOfflineCopies, renderOfflineCopies } from '../../api/explorer/offline-copies.ts';
import type { View } from '../../api/item.ts';
import { isRaw } from '../../api/raw-forms.ts';
import { documentNameOf } from '../../api/schemas/document-schemas.ts';
import { lazily } from '../../platform/on-demand.ts';
import { schemaFileName } from '../../registry/schema-files.ts';
import type { PlannedDocument, PlanSection } from './planned.ts';

/** `shown` has documents of all kinds: the first of each is an example of it. */
export function* descriptionDocuments(
  view: View,
  modified: number,
  shown: readonly PlanSection<PlannedDocument>[],
): Generator<PlannedDocument> {
  const { publication } = view;
  const described = lazily(() => describeApi(publication, examplesIn(shown)));
  const document = (url: string, form: PlannedDocument['form'], body: () => string): PlannedDocument => ({
    url,
    form,
    cache: 'mutable',
    modified,
    body,
  });
  yield document(LINKS_PATH, 'item', () => renderLinkList(view));
  if (publication.basePath === '') yield document(CATALOG_PATH, 'linkset', () => renderCatalog(publication));
  yield document(OPENAPI_PATH, 'item', () => renderOpenapi(publication, described()));
  for (const [name, schema] of publication.schemas()) {
    const body = () => JSON.stringify({ $id: schemaFileName(name), ...schema });
    yield document(schemaUrl(name), 'item', body);
  }
  yield document(REFERENCE_PATH, 'html', () => renderReference(publication, described()));
  yield document(STYLE_PATH, 'css', () => `/* ${STYLE_PATH}: how the reference looks. */\n${REFERENCE_STYLE}`);
}

const EMPTY = '{"total":0,';

/** By the names of components. What stands for all collections of a kind is one that has items, where any has. */
function examplesIn(sections: readonly PlanSection<PlannedDocument>[]): ReadonlyMap<string, string> {
  const examples = new Map<string, string>();
  const names = new Map<Endpoint, string>();
  const nameOf = (endpoint: Endpoint): string => {
    const name = names.get(endpoint) ?? componentName(documentNameOf(endpoint));
    names.set(endpoint, name);
    return name;
  };
  for (const { list } of sections) {
    for (const { url, form, body, sample = body } of list()) {
      const endpoint = isRaw(form) ? undefined : endpointOf(url);
      const name = endpoint && nameOf(endpoint);
      if (name !== undefined && (examples.get(name) ?? EMPTY).startsWith(EMPTY)) examples.set(name, sample());
    }
  }
  return examples;
}

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
