import { useMemo } from 'preact/hooks';
import type { ViewProps } from '../app-state.ts';
import { historyOf, revisionIndex } from '../data/history.ts';
import { newestRevisions } from '../data/nodes.ts';
import { growthBy } from '../fleet/growth.ts';
import { linkWithin } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { GrowthLegend, GrowthPlot, largestValues } from './growth-plot.tsx';
import { firstLine, Tags } from './links.tsx';
import { Read } from './read.tsx';
import { counted, dayOf, visible } from './value.tsx';

const MOST_REVISIONS = 6;
/** The history of more nodes takes too long for a picture that nobody asked for. */
const MOST_NODES = 5_000;

export function Recently({ state }: ViewProps) {
  const { place, reader, registry } = state;
  const loaded = useLoaded('newest revisions', () => newestRevisions(reader));
  return (
    <>
      <h2>Latest changes</h2>
      <Read of={loaded}>
        {(revisions) => (
          <ol class="revisions">
            {revisions
              .filter(({ date }) => date <= registry.date)
              .slice(0, MOST_REVISIONS)
              .map(({ id, date, author, message, classes, resources }) => (
                <li key={id}>
                  <p>
                    <time dateTime={date}>{dayOf(date)}</time>{' '}
                    <span class="what">
                      <a href={linkWithin(place, `versions/${id}`)}>{firstLine(message) || 'Revision'}</a>{' '}
                      <Tags names={classes} />
                    </span>{' '}
                    <span class="absent">
                      {visible(author)}, {counted(resources, 'resource')}
                    </span>
                  </p>
                </li>
              ))}
          </ol>
        )}
      </Read>
      {registry.table.total > MOST_NODES ? null : <Growth state={state} />}
    </>
  );
}

function Growth({ state }: ViewProps) {
  const { place, reader, registry } = state;
  const loaded = useLoaded('history', () => historyOf(reader, registry));
  const history = loaded.kind === 'done' ? loaded.value : undefined;
  const steps = useMemo(() => history && growthBy(history, 'site'), [history]);
  if (!history || !steps) return null;
  const shown = largestValues(steps, 'site');
  const revision = revisionIndex(history, registry.version);
  return (
    <>
      <h2>Growth</h2>
      <GrowthPlot history={history} steps={steps} shown={shown} revision={revision} height={140} />
      <GrowthLegend state={state} field="site" shown={shown} counts={steps.at(-1)?.counts ?? new Map()} />
      <p>
        <a href={linkWithin(place, 'time')}>Growth by type, GPU and CPU, and what changed between two dates</a>
      </p>
    </>
  );
}
