/** A revision in the feed: what it says of itself, and what it changed. */

import { useState } from 'preact/hooks';
import type { AppState } from '../app-state.ts';
import type { Change } from '../data/changes.ts';
import type { VersionSummary } from '../data/nodes.ts';
import { counted, dayOf, visible } from '../format/values.ts';
import { linkWithin } from '../state/place.ts';
import { RevisionLink, Tags } from './revision.tsx';

interface RevisionEntryProps {
  readonly state: AppState;
  readonly id: string;
  readonly changes: readonly Change[];
  readonly about: VersionSummary | undefined;
}

const LISTED_FIRST = 50;

export function RevisionEntry({ state, id, changes, about }: RevisionEntryProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [isWhole, setIsWhole] = useState(false);
  const message = visible((about?.message ?? '').split('\n')[0] ?? '');
  const shown = isWhole ? changes : changes.slice(0, LISTED_FIRST);
  const classes = [...new Set(changes.flatMap((change) => change.classes))];
  return (
    <li>
      <p>
        <time dateTime={changes[0]?.date}>{dayOf(changes[0]?.date ?? '')}</time>{' '}
        <strong>{message || 'Revision'}</strong>{' '}
        <span class="absent">
          {about ? visible(about.author) : ''} <RevisionLink reader={state.reader} id={id} />
        </span>
      </p>
      <details class="class" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>
          {summaryOf(changes)} <Tags names={classes} />
        </summary>
        {isOpen ? (
          <ul class="rows">
            {shown.map((change) => (
              <li key={change.path}>
                <Resource state={state} change={change} />
              </li>
            ))}
          </ul>
        ) : null}
        {isOpen && !isWhole && changes.length > LISTED_FIRST ? (
          <button type="button" class="link" onClick={() => setIsWhole(true)}>
            All {changes.length}
          </button>
        ) : null}
      </details>
    </li>
  );
}

function summaryOf(changes: readonly Change[]): string {
  const actions = Map.groupBy(changes, ({ action }) => action);
  return [...actions].map(([action, some]) => `${counted(some.length, 'resource')} ${action}`).join(', ');
}

function Resource({ state, change }: { state: AppState; change: Change }) {
  const { fleet, place } = state;
  const { path, action, classes } = change;
  const row = fleet.rowOf(path);
  const isNode = /\/nodes\/[^/]+$/.test(path);
  const name = row >= 0 ? fleet.nameOf(row) : path.split('/').at(-1);
  return (
    <>
      {action}{' '}
      {isNode ? (
        <a href={linkWithin(place, path)}>{name}</a>
      ) : (
        <a href={state.reader.urlOf(`/${path}/versions/${change.revision}`)}>{path || 'the grid'}</a>
      )}{' '}
      <span class="absent">
        {path.split('/')[1]} {classes.join(', ')}
      </span>
    </>
  );
}
