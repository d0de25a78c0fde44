/** Renders items: the fields of the registry file in their order, then `version`, root fields and `links`. */

import { closingQuote } from '../model/json.ts';
import { joinPath, parentItemPath, type Subject } from '../model/resource-path.ts';
import { epochSeconds } from '../model/revision.ts';
import type { BodyStore, RegistryState, ResourceState } from '../model/state.ts';
import { type Link, toCollection, toItem } from './dialect.ts';
import type { Form } from './endpoints.ts';
import { documentEnd, idAt, type Publication, revisionAt, stateAt } from './publication.ts';
import { resourceUrl, snapshotUrl, versionsUrl, versionUrl } from './urls.ts';
import { ANY_ROOT_FIELDS, FOUND_NODE_FIELDS, ITEM_FIELDS, withoutFields } from './written-fields.ts';

/** A view is the current tree or a snapshot. */
export interface View {
  readonly publication: Publication;
  readonly index: number;
  /** The URL path of the snapshot. Empty for the current tree. */
  readonly base: string;
  readonly state: RegistryState;
}

export function currentView(publication: Publication): View {
  return { publication, index: publication.head, base: '', state: publication.current };
}

export function snapshotView(publication: Publication, index: number): View {
  return { publication, index, base: snapshotUrl(idAt(publication, index)), state: stateAt(publication, index) };
}

/** Returns the JSON text of an item. The fields in `first` come first, and replace registry fields of the same name. */
export function renderItem(
  view: View,
  item: Subject,
  resource: ResourceState,
  first: Readonly<Record<string, string | null>> = {},
): string {
  const { publication, index } = view;
  const names = Object.keys(first);
  const own = bodyText(publication.store, resource.body.handle, [
    ...(item.path === '' ? ANY_ROOT_FIELDS : ITEM_FIELDS),
    ...names,
  ]);
  const fields = names.length === 0 ? own : [JSON.stringify(first).slice(0, -1), own.slice(1)].join(',');
  const root =
    item.path === '' ? publication.dialect.rootFields(epochSeconds(revisionAt(publication, index).date)) : '';
  const links = publication.dialect.links(itemLinks(view, item, resource));
  return `${fields},"version":"${idAt(publication, index)}"${root},"links":${links}}`;
}

/** Returns the JSON text of an object without its closing brace, and without the fields that `written` names. */
export function sourceText(json: string, written: readonly string[]): string {
  if (!hasField(json, written)) return json.slice(0, -1);
  return JSON.stringify(withoutFields(JSON.parse(json), written)).slice(0, -1);
}

function bodyText(store: BodyStore, handle: number, written: readonly string[]): string {
  const json = store.get(handle);
  const isKnown = written.every((name) => WRITTEN_FIELDS.includes(name));
  return isKnown && hasNoWrittenField(store, handle, json) ? json.slice(0, -1) : sourceText(json, written);
}

/** Caches the bodies without the fields that the API adds, because each body is rendered many times. */
const unconflictingBodies = new WeakMap<BodyStore, Set<number>>();

function hasNoWrittenField(store: BodyStore, handle: number, json: string): boolean {
  const known = unconflictingBodies.get(store) ?? new Set();
  if (known.has(handle)) return true;
  if (hasField(json, WRITTEN_FIELDS)) return false;
  unconflictingBodies.set(store, known.add(handle));
  return true;
}

const WRITTEN_FIELDS = [...ANY_ROOT_FIELDS, ...ITEM_FIELDS, ...FOUND_NODE_FIELDS];

const [QUOTE, COLON] = [34, 58];
const [OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [91, 93, 123, 125];

/** Whether a compact JSON text has one of `fields` at its top level. Scanning the text is faster than parsing. */
function hasField(json: string, fields: readonly string[]): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === OPEN_MAP || code === OPEN_LIST) depth++;
    else if (code === CLOSE_MAP || code === CLOSE_LIST) depth--;
    else if (code === QUOTE) {
      const start = at + 1;
      at = closingQuote(json, at);
      if (depth === 1 && json.charCodeAt(at + 1) === COLON && fields.includes(json.slice(start, at))) return true;
    }
  }
  return false;
}

function itemLinks(view: View, item: Subject, resource: ResourceState): Link[] {
  const links: Link[] = [];
  for (const rel of view.publication.dialect.rels(item.kind)) {
    const link = itemLink(view, item, resource, rel);
    if (link) links.push(link);
  }
  return links;
}

function itemLink(
  { publication, index, base }: View,
  item: Subject,
  resource: ResourceState,
  rel: string,
): Link | undefined {
  const { path, kind } = item;
  if (rel === 'self') return toItem(rel, resourceUrl(path, base));
  if (rel === 'parent') return toItem(rel, resourceUrl(parentItemPath(item), base));
  if (rel === 'versions') return toCollection(rel, versionsUrl(path));
  if (rel === 'version') return toItem(rel, versionUrl(path, idAt(publication, index)));
  if (rel === 'latest-version') {
    const latest = publication.histories.lastChange(path, index);
    return toItem(rel, versionUrl(path, idAt(publication, latest)));
  }
  const child = kind.children.find(({ collection }) => collection === rel);
  if (child?.onlyIfAny && !resource.collections.has(rel)) return undefined;
  const form = child ? 'collection' : (kind.legacyChildren[rel] ?? 'item');
  return { rel, href: resourceUrl(joinPath(path, rel), base), form };
}

/** Returns the JSON text of an empty item. Legacy items link to it, although gridpress has no data for it. */
export function renderEmptyItem(view: View, parent: Subject, name: string): string {
  const links = emptyLinks(view, parent, name, 'item');
  return `{"type":"${name}","uid":"${name}"${documentEnd(view.publication, view.index, links)}`;
}

export function emptyLinks({ base }: View, parent: Subject, name: string, form: Form): Link[] {
  return [
    { rel: 'self', href: resourceUrl(joinPath(parent.path, name), base), form },
    toItem('parent', resourceUrl(parent.path, base)),
  ];
}
