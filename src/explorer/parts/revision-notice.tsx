import { SNAPSHOTS_PATH } from '../../core/api/urls.ts';
import type { ViewProps } from '../app-state.ts';
import { lastDayOf } from '../data/last-day.ts';
import { filtersIn } from '../fleet/filters.ts';
import { fragmentOf, linkWithin, withParams } from '../state/place.ts';
import { Notice } from './notice.tsx';
import { dayOf, shortRevision, visible } from './value.tsx';

/** Shows a notice if the shown revision is not the newest one, or is not the one in the URL. */
export function RevisionNotice({ state, at }: ViewProps & { readonly at: string }) {
  const { registry, reader, place } = state;
  const { version, date, newest, start } = registry;
  const linkAt = (revision: string | undefined) => fragmentOf(place.path, withParams(place.params, { at: revision }));
  const isFiltered =
    place.path === 'nodes' && (place.params.has('q') || filtersIn(place.params, state.fleet).length > 0);
  const latest = <a href={linkAt(undefined)}>Show latest</a>;
  if (state.isLoadingRevision) {
    return place.path === 'time' ? null : (
      <p class="notice loading">
        Loading revision {visible(at)}. The page still shows revision {shortRevision(version)}.
      </p>
    );
  }
  if (start) {
    const day = dayOf(start.date);
    return (
      <Notice
        kind="info"
        title={start.isTruncated ? `This tree contains revisions since ${day}.` : `The registry begins on ${day}.`}
      >
        The page shows the latest revision instead of {visible(at)}. <a href={linkAt(day)}>Show {day}</a> · {latest}
      </Notice>
    );
  }
  const last = lastDayOf(at);
  if (version.startsWith(at) || (last && dayOf(date) <= last)) {
    // The view of time already shows the id of the revision.
    if (version === newest || place.path === 'time') return null;
    return (
      <p class="notice">
        <strong>
          As of <time dateTime={date}>{dayOf(date)}</time>, revision {shortRevision(version)}.
        </strong>{' '}
        {latest}
        {isFiltered ? (
          <>
            {' '}
            · The search and the filters still apply. <a href={linkWithin(place, 'nodes')}>Show all nodes</a>
          </>
        ) : null}
      </p>
    );
  }
  return (
    <Notice
      kind="info"
      title={`Revision ${visible(at)} is not available. The page shows revision ${shortRevision(version)}.`}
    >
      {/^[\da-f]+$/.test(at) ? (
        <>
          It may have a <a href={reader.urlOf(SNAPSHOTS_PATH)}>snapshot</a>.
        </>
      ) : (
        'Write a date as 2023-05-31.'
      )}{' '}
      {latest}
    </Notice>
  );
}
