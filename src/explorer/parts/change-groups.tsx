import { useMemo } from 'preact/hooks';
import { byCodeUnit, byNaturalOrder, itemsIn, type JsonObject, objectsIn, textOf } from '../../core/model/json.ts';
import { pointerTokens } from '../../core/model/json-pointer.ts';
import type { AppState } from '../app-state.ts';
import { type FleetHistory, historyOf, revisionIndex, tableAt } from '../data/history.ts';
import { type Fleet, fleetOf } from '../fleet/fleet.ts';
import { fieldWords } from '../fleet/hardware-cards.ts';
import { siteTitle } from '../fleet/site-titles.ts';
import { changeWords } from '../fleet/value-words.ts';
import { atParam } from '../state/at-param.ts';
import { linkWithin } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { ShortList, Tags } from './links.tsx';
import { Loading } from './notice.tsx';
import { FieldLabel } from './table.tsx';
import { counted, visible } from './value.tsx';

export interface ResourceChange {
  /** The path of the resource without a leading slash. The path of the grid is empty. */
  readonly path: string;
  readonly action: string;
  readonly classes: readonly string[];
  /** The changed fields, in the format of a revision document. Empty if the document does not list the fields. */
  readonly fields: readonly JsonObject[];
}

export function changesOfRevision({ changes }: JsonObject): ResourceChange[] {
  return objectsIn(changes).map(({ href, action, classes, fields }) => ({
    path: textOf(href).replace(/^.*?\/(?=sites|versions)|\/?versions\/\w+$/g, ''),
    action: textOf(action),
    classes: itemsIn(classes).map(textOf),
    fields: objectsIn(fields),
  }));
}

const isNode = (path: string) => /\/nodes\/[^/]+$/.test(path);

/** Returns a text such as `18 nodes`, or `18 resources` if some resources are not nodes. */
function countedResources(changes: readonly Pick<ResourceChange, 'path'>[]): string {
  return counted(changes.length, changes.every(({ path }) => isNode(path)) ? 'node' : 'resource');
}

/** Returns the names of the changed fields, without the indexes of array items. */
export function fieldsOfChange({ fields }: ResourceChange): string[] {
  return [...new Set(fields.map(({ at }) => nameAt(textOf(at))))];
}

/** Returns the name of the field at a JSON pointer, without the indexes of array items. */
export function nameAt(pointer: string): string {
  return (pointerTokens(pointer) ?? []).filter((part) => !/^\d+$/.test(part)).join('.');
}

/** Groups resources with equal changes. If there are too many groups, groups by the names of the changed fields. */
export function groupsOf(changes: readonly ResourceChange[]): readonly (readonly ResourceChange[])[] {
  const groupedBy = (keyOf: (change: ResourceChange) => unknown) => [
    ...Map.groupBy(changes, (change) => JSON.stringify(keyOf(change))).values(),
  ];
  const equal = groupedBy(({ action, classes, fields }) => [action, classes, fields]);
  return equal.length <= MOST_OPEN ? equal : groupedBy((change) => [change.action, fieldsOfChange(change).sort()]);
}

interface ChangeGroupsProps {
  readonly state: AppState;
  readonly groups: ReturnType<typeof groupsOf>;
  readonly id: string;
  /** The previous revision, which contains the removed nodes. */
  readonly parent: string | undefined;
}

/** The maximum number of groups that are open at first. If there are more groups, all groups are closed. */
const MOST_OPEN = 8;
/** The maximum number of resource names in the summary. If there are more resources, the summary shows their number. */
const MOST_IN_SUMMARY = 3;

/** Shows the changes of a revision in groups, the largest group first. A single group needs no summary. */
export function ChangeGroups({ state, groups, id, parent }: ChangeGroupsProps) {
  const loaded = useLoaded('history', () => historyOf(state.reader, state.registry));
  const history = loaded.kind === 'done' ? loaded.value : undefined;
  // The document of a merge links to the newest parent, but lists the changes since the first parent.
  const before = history?.revisions[history.revisions[revisionIndex(history, id)]?.parent ?? -1]?.id ?? parent;
  const fleets = useFleets(state, history, [id, before ?? '']);
  // The history contains the names of removed nodes. Other names would move the page.
  if (loaded.kind === 'loading') return <Loading />;
  const firstName = ([first = NO_CHANGE]: readonly ResourceChange[]) => nameOf(first.path, fleets);
  const sorted = groups.toSorted((a, b) => b.length - a.length || byNaturalOrder(firstName(a), firstName(b)));
  return sorted.map((members) => {
    const [{ path, action } = NO_CHANGE] = members;
    const classes = [...new Set(members.flatMap(({ classes }) => classes))];
    const revision = action === 'removed' && before !== undefined ? before : id;
    const at = atParam(state.registry.newest, revision);
    const about = <Members state={state} fleets={fleets} at={at} members={members} />;
    if (groups.length === 1) return about;
    const isShort = members.length <= MOST_IN_SUMMARY;
    return (
      <details key={path} class="class" open={groups.length <= MOST_OPEN}>
        <summary>
          {isShort
            ? `${members.map(({ path }) => nameOf(path, fleets)).join(', ')} ${action}`
            : changesSummary(members, fieldsOfChange)}{' '}
          <Tags names={classes} />
        </summary>
        {about}
      </details>
    );
  });
}

const NO_CHANGE: ResourceChange = { path: '', action: '', classes: [], fields: [] };

/** Returns the nodes at each revision. Returns the shown nodes if the explorer has no history. */
function useFleets({ fleet }: AppState, history: FleetHistory | undefined, ids: readonly string[]): readonly Fleet[] {
  return useMemo(() => {
    const indexes = history ? ids.map((each) => revisionIndex(history, each)) : [];
    const past = indexes.flatMap((index) => (history && index >= 0 ? [fleetOf(tableAt(history, index))] : []));
    return [...past, fleet];
  }, [history, ids.join(), fleet]);
}

/** Returns the name of a resource. A node gets its name from the first fleet that contains the node. */
function nameOf(path: string, fleets: readonly Fleet[]): string {
  const fleet = fleets.find((each) => each.rowOf(path) >= 0);
  return fleet ? fleet.nameOf(fleet.rowOf(path)) : visible(path.split('/').at(-1) ?? '') || 'the grid';
}

/** The maximum number of resources that the explorer lists at first for each site. */
const MOST_NAMED = 40;

interface MembersProps {
  readonly state: AppState;
  readonly fleets: readonly Fleet[];
  readonly at: string | undefined;
  readonly members: readonly ResourceChange[];
}

/** Shows the changed fields, and lists the changed resources by site. */
function Members({ state: { place, reader }, fleets, at, members }: MembersProps) {
  const named = members
    .map(({ path }) => ({ path, name: nameOf(path, fleets) }))
    .sort((a, b) => byNaturalOrder(a.name, b.name));
  const bySite = [...Map.groupBy(named, ({ path }) => path.split('/')[1] ?? '')].sort(([a], [b]) => byCodeUnit(a, b));
  return (
    <dl class="fields changes">
      {changedValues(members).map(({ label, values }) => (
        <div key={label}>
          <dt>
            <FieldLabel label={label} />
          </dt>
          <dd>{values}</dd>
        </div>
      ))}
      {bySite.map(([site, all]) => (
        <div key={site}>
          <dt>{siteTitle(site) || 'all sites'}</dt>
          <dd>
            <ShortList
              items={all}
              most={MOST_NAMED}
              show={({ path, name }) => (
                <li key={path}>
                  <a href={isNode(path) ? linkWithin(place, path, { at }) : reader.urlOf(`/${path}`)}>{name}</a>
                </li>
              )}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns the changed fields with the old and new values, or a note if the values differ between resources. */
function changedValues(members: readonly ResourceChange[]): { readonly label: string; readonly values: string }[] {
  const [first = NO_CHANGE] = members;
  const isEqual = (fields: readonly JsonObject[], others: readonly JsonObject[]) =>
    JSON.stringify(fields) === JSON.stringify(others);
  const valuesOf = ({ at, from, to, order }: JsonObject) =>
    order === undefined ? changeWords(from, to, nameAt(textOf(at))) : 'in another order';
  if (members.every(({ fields }) => isEqual(fields, first.fields)))
    return first.fields.map((field) => ({
      label: (pointerTokens(textOf(field['at'])) ?? []).join('.'),
      values: valuesOf(field),
    }));
  return fieldsOfChange(first).map((label) => {
    const changesOf = ({ fields }: ResourceChange) =>
      fields.filter(({ at }) => nameAt(textOf(at)) === label).map(({ at, ...values }) => values);
    const own = changesOf(first);
    const isSame = members.every((member) => isEqual(changesOf(member), own));
    const values = own.map((field) => valuesOf({ ...field, at: `/${label}` }));
    return { label, values: isSame ? values.join('; ') : 'different values' };
  });
}

/** The maximum number of fields in a summary. */
const MOST_FIELDS = 3;

/** Describes changes in one line, such as `131 nodes updated: InfiniBand, Storage devices (11)`. */
export function changesSummary<Change extends Pick<ResourceChange, 'path' | 'action'>>(
  changes: readonly Change[],
  namesOf: (change: Change) => readonly string[],
): string {
  const actions = Map.groupBy(changes, ({ action }) => action);
  return [...actions]
    .map(([action, some]) => {
      const names = some.flatMap(namesOf);
      return `${countedResources(some)} ${action}${names.length === 0 ? '' : `: ${fieldsText(names, some.length)}`}`;
    })
    .join(', ');
}

/** Lists the fields that changed most often. Adds the number of nodes unless a field changed in all nodes. */
export function fieldsText(names: readonly string[], nodes: number): string {
  const counts = [...Map.groupBy(names, (name) => name)].sort(([, a], [, b]) => b.length - a.length);
  const most = counts
    .slice(0, MOST_FIELDS)
    .map(
      ([name, { length }]) =>
        fieldWords({ name, label: name, class: 'unknown' }) + (length === nodes ? '' : ` (${counted(length, 'node')})`),
    );
  const others = counts.length - most.length;
  return [...most, ...(others > 0 ? [counted(others, 'other field')] : [])].join(', ');
}
