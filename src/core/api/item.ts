/**
 * Items: a resource as the current tree or a snapshot shows it. The source's own fields in the source's order, then
 * `version`, then what the root adds, then `links`.
 */

import { closingQuote } from '../model/json.ts';
import { joinPath, parentItemPath, type Subject } from '../model/resource-path.ts';
import { epochSeconds } from '../model/revision.ts';
import type { BodyStore, RegistryState, ResourceState } from '../model/state.ts';
import type { Link } from './dialect.ts';
import type { Form } from './endpoints.ts';
import { idAt, type Publication, revisionAt, stateAt } from './publication.ts';
import { resourceUrl, snapshotUrl, versionsUrl, versionUrl } from './urls.ts';
import { ANY_ROOT_FIELDS, FOUND_NODE_FIELDS, ITEM_FIELDS, withoutFields } from './written-fields.ts';

/** One view of the registry: the current tree, or a snapshot with every resource's URL below its base. */
export interface View {
  readonly publication: Publication;
  /** The index of the revision that the view shows. */
  readonly index: number;
  /** Empty for the current tree. */
  readonly base: string;
  readonly state: RegistryState;
}

export function currentView(publication: Publication): View {
  return { publication, index: publication.head, base: '', state: publication.current };
}

export function snapshotView(publication: Publication, index: number): View {
  return { publication, index, base: snapshotUrl(idAt(publication, index)), state: stateAt(publication, index) };
}

/** The JSON text of an item; `first` stands before the source's fields, and takes the place of those of the same names. */
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

/** The text of an object without its last brace, and without some fields that the API writes in their place. */
export function sourceText(json: string, written: readonly string[]): string {
  if (!hasField(json, written)) return json.slice(0, -1);
  return JSON.stringify(withoutFields(JSON.parse(json), written)).slice(0, -1);
}

/** The same of a body of the store. */
function bodyText(store: BodyStore, handle: number, written: readonly string[]): string {
  const json = store.get(handle);
  const isKnown = written.every((name) => WRITTEN_FIELDS.includes(name));
  return isKnown && isSourceAlone(store, handle, json) ? json.slice(0, -1) : sourceText(json, written);
}

/** The bodies without any field that the API writes somewhere: they are asked for again and again. */
const alone = new WeakMap<BodyStore, Set<number>>();

function isSourceAlone(store: BodyStore, handle: number, json: string): boolean {
  const known = alone.get(store) ?? new Set();
  if (known.has(handle)) return true;
  if (hasField(json, WRITTEN_FIELDS)) return false;
  alone.set(store, known.add(handle));
  return true;
}

/** Those that the API writes into items, wherever it does. */
const WRITTEN_FIELDS = [...ANY_ROOT_FIELDS, ...ITEM_FIELDS, ...FOUND_NODE_FIELDS];

const [QUOTE, COLON] = [34, 58];
const [OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [91, 93, 123, 125];

/** Whether a compact object has one of some fields at its top; nothing of it is made for that. */
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
  if (rel === 'self') return { rel, href: resourceUrl(path, base), form: 'item' };
  if (rel === 'parent') return { rel, href: resourceUrl(parentItemPath(item), base), form: 'item' };
  if (rel === 'versions') return { rel, href: versionsUrl(path), form: 'collection' };
  if (rel === 'version') return { rel, href: versionUrl(path, idAt(publication, index)), form: 'item' };
  if (rel === 'latest-version') {
    const latest = publication.histories.lastChange(path, index);
    return { rel, href: versionUrl(path, idAt(publication, latest)), form: 'item' };
  }
  const child = kind.children.find(({ collection }) => collection === rel);
  if (child?.onlyIfAny && !resource.collections.has(rel)) return undefined;
  const form = child ? 'collection' : (kind.legacyChildren[rel] ?? 'item');
  return { rel, href: resourceUrl(joinPath(path, rel), base), form };
}

/** The JSON text of an item that this service leaves empty: legacy links lead to some. */
export function renderEmptyItem(view: View, parent: Subject, name: string): string {
  const links = view.publication.dialect.links(emptyLinks(view, parent, name, 'item'));
  return `{"type":"${name}","uid":"${name}","version":"${idAt(view.publication, view.index)}","links":${links}}`;
}

export function emptyLinks({ base }: View, parent: Subject, name: string, form: Form): Link[] {
  return [
    { rel: 'self', href: resourceUrl(joinPath(parent.path, name), base), form },
    { rel: 'parent', href: resourceUrl(parent.path, base), form: 'item' },
  ];
}
