import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { type ClassSet, classNames } from '../../core/model/field-classes.ts';
import type { ViewProps } from '../app-state.ts';
import { type FleetHistory, tableAt } from '../data/history.ts';
import { classesBetween, isOfClass, PRESENCE } from '../fleet/changed-classes.ts';
import { type Fleet, fleetOf } from '../fleet/fleet.ts';
import { fleetDifference } from '../fleet/growth.ts';
import { pickText } from '../fleet/picks.ts';
import { atParam } from '../state/at-param.ts';
import { linkWithin } from '../state/place.ts';
import { ClassChoice, classIn, NONE_OF_CLASS } from './class-choice.tsx';
import { NodeLinks, Tags } from './links.tsx';
import { Notice } from './notice.tsx';
import { LeftOut } from './read.tsx';
import { RevisionRange } from './revision-range.tsx';
import { Select } from './select.tsx';
import { BEFORE_START } from './time-axis.tsx';
import { dayOf, shortRevision, visible } from './value.tsx';

/**
 * The maximum numbers of nodes that the explorer lists at first, in total and for each combination of field classes.
 */
const MOST_NAMED = 60;
const MOST_OF_CLASSES = 20;

interface FleetChangesProps extends ViewProps {
  readonly history: FleetHistory;
  readonly revision: number;
  /** The index of the selected revision, or -1. */
  readonly than: number;
  readonly compareWith: (revision: number) => void;
  readonly drag: (isDragging: boolean) => void;
}

export function FleetChanges({ state, history, revision, than, compareWith, drag }: FleetChangesProps) {
  const { line, revisions } = history;
  const { newest } = state.registry;
  const wanted = state.place.params.get('than') ?? '';
  const isFromStart = wanted === BEFORE_START;
  const other = than >= 0 || isFromStart ? than : (revisions[revision]?.parent ?? -1);
  const [first, last] = [Math.min(other, revision), Math.max(other, revision)];
  const { earlier, later, found } = useMemo(() => {
    // Both fleets must come from the history, because the node table of the head can omit different fields.
    const fleetAt = (index: number) => fleetOf(tableAt(history, index));
    const [earlier, later] = [fleetAt(first), fleetAt(last)];
    return { earlier, later, found: fleetDifference(earlier, later, classesBetween(history)) };
  }, [history, first, last]);
  const isHistoryStart = other < 0 && revisions[line[0] ?? -1]?.isTruncated === true;
  const options = line.toReversed().map((index) => {
    const { id = '', date = '' } = revisions[index] ?? {};
    return [String(index), `${dayOf(date)} ${shortRevision(id)}`] as const;
  });
  const chosen = classIn(state);
  const isShown = (classes: ClassSet | undefined) => isOfClass(chosen, classes);
  const [added, removed] = isShown(undefined) ? [found.added, found.removed] : [[], []];
  const changed = [...found.changed].filter(([, classes]) => isShown(classes));
  const byClasses = [...Map.groupBy(changed, ([, classes]) => classes)].sort(([, a], [, b]) => b.length - a.length);
  const numberOf = (name: string) =>
    (name === PRESENCE ? found.added.length + found.removed.length : 0) +
    [...found.changed.values()].filter((classes) => isOfClass(name, classes)).length;
  const nodes = (title: string, rows: readonly number[], fleet: Fleet, index: number) => {
    const at = { at: atParam(newest, revisions[index]?.id ?? '') };
    return (
      <NodeList title={title} count={rows.length}>
        <NodeLinks
          state={state}
          fleet={fleet}
          rows={rows}
          most={MOST_NAMED}
          linkOf={(row) => linkWithin(state.place, fleet.pathOf(row), at)}
        />
      </NodeList>
    );
  };
  const compareLink = (row: number) =>
    linkWithin(state.place, 'compare', {
      at: atParam(newest, revisions[last]?.id ?? ''),
      pick: pickText([row], later),
      was: shortRevision(revisions[first]?.id ?? ''),
    });
  return (
    <section aria-labelledby="between">
      <h2 id="between">Compare with another revision</h2>
      <p class="slider">
        <Select
          label="Compare with"
          value={String(other)}
          options={[...options, ['-1', 'before the first revision']]}
          choose={(index) => compareWith(Number(index))}
        />
        <RevisionRange
          label="Compared revision"
          history={history}
          revision={Math.max(0, other)}
          go={(position) => compareWith(line[position] ?? -1)}
          drag={drag}
        />
      </p>
      {wanted !== '' && than < 0 && !isFromStart ? (
        <Notice kind="info" title={`Revision ${visible(wanted)} is not available.`}>
          The list compares with the previous revision.
        </Notice>
      ) : null}
      {isHistoryStart ? (
        <LeftOut />
      ) : (
        <>
          <p class="choosers">
            <ClassChoice state={state} numberOf={numberOf} />
          </p>
          {nodes('Added', added, later, last)}
          {nodes('Removed', removed, earlier, first)}
          <NodeList title="Changed" count={changed.length} isOpen>
            <dl class="fields changes">
              {byClasses.map(([classes, some]) => (
                <div key={classes}>
                  <dt>
                    <Tags names={classNames(classes)} />
                  </dt>
                  <dd>
                    <NodeLinks
                      state={state}
                      fleet={later}
                      rows={some.map(([row]) => row)}
                      most={MOST_OF_CLASSES}
                      linkOf={compareLink}
                    />
                  </dd>
                </div>
              ))}
            </dl>
          </NodeList>
          {found.added.length + found.removed.length + found.changed.size === 0 ? (
            <p>No node differs.</p>
          ) : added.length + removed.length + changed.length === 0 ? (
            <Notice kind="info" title={NONE_OF_CLASS} />
          ) : null}
        </>
      )}
    </section>
  );
}

interface NodeListProps {
  readonly title: string;
  readonly count: number;
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

function NodeList({ title, count, isOpen = count <= MOST_NAMED, children }: NodeListProps) {
  return count === 0 ? null : (
    <details class="class" open={isOpen}>
      <summary>
        {title} <span class="badge">{count}</span>
      </summary>
      {children}
    </details>
  );
}
