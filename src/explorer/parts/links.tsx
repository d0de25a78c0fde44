import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { versionUrl } from '../../core/api/urls.ts';
import type { AppState } from '../app-state.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { placeTitle } from '../fleet/site-titles.ts';
import { linkWithin } from '../state/place.ts';
import { shortRevision, visible } from './value.tsx';

interface RevisionLinkProps {
  readonly state: AppState;
  readonly id: string;
  /** The path of the resource whose version the JSON link opens. The empty path stands for the whole registry. */
  readonly path?: string;
}

/** Links to the view of a revision, and to the JSON document of the resource's version at this revision. */
export function RevisionLink({ state: { place, reader }, id, path = '' }: RevisionLinkProps) {
  return (
    <>
      <a href={linkWithin(place, `versions/${id}`)}>
        <code>{shortRevision(id)}</code>
      </a>{' '}
      <a href={reader.urlOf(versionUrl(path, id))}>
        JSON<span class="hidden"> of {shortRevision(id)}</span>
      </a>
    </>
  );
}

export function Tags({ names }: { names: readonly string[] }) {
  return names.map((name) => (
    <span key={name} class="tag">
      {name}
    </span>
  ));
}

/** Returns the first line of a message. Skips the line that GitHub and similar services write above a merge title. */
export function firstLine(message: string): string {
  return visible(message.replace(/^Merge (?:pull request|branch) .*\n+(?=\S)/, '').split('\n')[0] ?? '');
}

interface NodeLinksProps {
  readonly state: AppState;
  readonly fleet: Fleet;
  readonly rows: readonly number[];
  /** The maximum number of nodes that are listed at first. */
  readonly most: number;
  /** Returns the link of a node. By default, the link opens the page of the node. */
  readonly linkOf?: (row: number) => string;
}

/** Links to nodes. If successive nodes have the same place, the place is written only before the first one. */
export function NodeLinks({ state, fleet, rows, most, linkOf }: NodeLinksProps) {
  const placeOf = (row: number | undefined) => (row === undefined ? undefined : placeTitle(row, fleet));
  return (
    <ShortList
      items={rows}
      most={most}
      show={(row, i) => (
        <li key={row}>
          {placeOf(row) === placeOf(rows[i - 1]) ? null : <span class="absent">{placeOf(row)}: </span>}
          <a href={linkOf?.(row) ?? linkWithin(state.place, fleet.pathOf(row))}>{fleet.nameOf(row)}</a>
        </li>
      )}
    />
  );
}

interface ShortListProps<Item> {
  readonly items: readonly Item[];
  /** The maximum number of items that are listed at first. */
  readonly most: number;
  readonly show: (item: Item, index: number) => ComponentChildren;
}

export function ShortList<Item>({ items, most, show }: ShortListProps<Item>) {
  const [isExpanded, setIsExpanded] = useState(false);
  const shown = isExpanded ? items : items.slice(0, most);
  return (
    <ul class="inline">
      {shown.map(show)}
      {shown.length < items.length ? (
        <li>
          <button type="button" class="link" onClick={() => setIsExpanded(true)}>
            and {items.length - most} more
          </button>
        </li>
      ) : null}
    </ul>
  );
}

interface ValueLinksProps {
  readonly values: readonly { readonly text: string; readonly href: string; readonly nodes: number }[];
  /** The total number of distinct values. Undefined if `values` contains all values. */
  readonly total?: string | undefined;
}

export function ValueLinks({ values, total }: ValueLinksProps) {
  return (
    <ul class="inline">
      {values.map(({ text, href, nodes }) => (
        <li key={text}>
          <a href={href}>{text}</a> <span class="absent">{nodes}</span>
        </li>
      ))}
      {total === undefined ? null : <li class="absent">{total} in total</li>}
    </ul>
  );
}
