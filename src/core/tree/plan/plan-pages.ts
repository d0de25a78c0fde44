import { componentName } from '../../api/description/components.ts';
import {
  CATALOG_PATH,
  CONFORMANCE_PATH,
  LINKS_PATH,
  LLMS_PATH,
  OPENAPI_PATH,
  REFERENCE_PATH,
  STYLE_PATH,
  schemaUrl,
} from '../../api/description/description-paths.ts';
import { renderCatalog, renderConformance, renderLinkList, renderLlms } from '../../api/description/link-list.ts';
import { describeApi, renderOpenapi } from '../../api/description/openapi.ts';
import { REFERENCE_STYLE, renderReference } from '../../api/description/reference-page.ts';
import { type Endpoint, endpointOf } from '../../api/endpoints.ts';
import { renderDataset, renderLinkset } from '../../api/explorer/dataset.ts';
import { renderPage } from '../../api/explorer/explorer.ts';
import { EXPLORER_PATHS } from '../../api/explorer/explorer-paths.ts';
import { hasOfflineCopies, renderOfflineCopies } from '../../api/explorer/offline-copies.ts';
import type { View } from '../../api/item.ts';
import { isRaw } from '../../api/raw-forms.ts';
import { documentNameOf } from '../../api/schemas/document-schemas.ts';
import { getOrCreate } from '../../platform/lookups.ts';
import { lazily } from '../../platform/on-demand.ts';
import { schemaFileName } from '../../registry/layout.ts';
import { documentsAt, type PlannedDocument, type PlanSection } from './planned.ts';

/** `shown` contains the sections from which the API description takes an example of each type of document. */
export function* descriptionDocuments(
  view: View,
  modified: number,
  shown: readonly PlanSection<PlannedDocument>[],
): Generator<PlannedDocument> {
  const { publication } = view;
  const described = lazily(() => describeApi(publication, examplesIn(shown)));
  const document = documentsAt(modified);
  yield document(LINKS_PATH, 'item', () => renderLinkList(view));
  yield document(CONFORMANCE_PATH, 'item', () => renderConformance(view));
  if (publication.basePath === '') yield document(CATALOG_PATH, 'catalog', () => renderCatalog(publication));
  yield document(LLMS_PATH, 'text', () => renderLlms(view));
  yield document(OPENAPI_PATH, 'item', () => renderOpenapi(publication, described()));
  for (const [name, schema] of publication.schemas()) {
    const body = () => JSON.stringify({ $id: schemaFileName(name), ...schema });
    yield document(schemaUrl(name), 'item', body);
  }
  yield document(REFERENCE_PATH, 'html', () => renderReference(publication, described()));
  yield document(STYLE_PATH, 'css', () => `/* ${STYLE_PATH}: how the reference looks. */\n${REFERENCE_STYLE}`);
}

const EMPTY = '{"total":0,';

/** Returns an example document for each component, as JSON text. Prefers collections with items. */
function examplesIn(sections: readonly PlanSection<PlannedDocument>[]): ReadonlyMap<string, string> {
  const examples = new Map<string, string>();
  const names = new Map<Endpoint, string>();
  const nameOf = (endpoint: Endpoint) => getOrCreate(names, endpoint, () => componentName(documentNameOf(endpoint)));
  for (const { list } of sections) {
    for (const { url, form, body, sample = body } of list()) {
      const endpoint = isRaw(form) ? undefined : endpointOf(url);
      const name = endpoint && nameOf(endpoint);
      if (name !== undefined && (examples.get(name) ?? EMPTY).startsWith(EMPTY)) examples.set(name, sample());
    }
  }
  return examples;
}

export function* explorerDocuments(
  view: View,
  sections: readonly PlanSection<PlannedDocument>[],
  modified: number,
): Generator<PlannedDocument> {
  const files = view.publication.explorer;
  if (!files || !view.state) return;
  const { page, script, more, exports, style, icon, dataset, linkset } = EXPLORER_PATHS;
  const document = documentsAt(modified);
  yield document(page, 'html', () => renderPage(view, files));
  yield document(script, 'js', () => files.script);
  yield document(more, 'js', () => files.more);
  yield document(exports, 'js', () => files.exports);
  yield document(style, 'css', () => files.style);
  yield document(icon, 'svg', () => files.icon);
  yield document(dataset, 'json-ld', () => renderDataset(view));
  yield document(linkset, 'linkset', () => renderLinkset(view));
  if (!hasOfflineCopies(view)) return;
  for (const part of ['data', 'history', 'past'] as const)
    yield document(EXPLORER_PATHS[part], 'js', () => renderOfflineCopies(view, part, listed(sections)));
}

function* listed(sections: readonly PlanSection<PlannedDocument>[]): Generator<PlannedDocument> {
  for (const { list } of sections) yield* list();
}
