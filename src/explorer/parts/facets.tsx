import { useMemo, useState } from 'preact/hooks';
import { FIELD_CLASSES } from '../../core/model/fields/class-names.ts';
import { LABEL_PREFIX, PLACE_NAMES } from '../../core/model/fields/field-name.ts';
import { fieldText } from '../../core/query/query-text.ts';
import type { Field } from '../data/registry.ts';
import { fieldTitle } from '../fleet/field-titles.ts';
import {
  byValue,
  countsIn,
  type FacetColumn,
  type Filter,
  facetColumn,
  type Range,
  type Selection,
} from '../fleet/filters.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { fragmentOf, usePlace, withParams } from '../state/place.ts';
import { Checkbox } from './checkbox.tsx';
import { MorePart } from './menu.tsx';
import { capitalized, counted, valueText } from './value.tsx';

interface FacetsProps {
  readonly fleet: Fleet;
  readonly fields: readonly Field[];
  readonly filters: readonly Filter[];
  readonly chosen: Selection;
  readonly change: (field: string, texts: readonly string[], range: Range | undefined) => void;
}

/** The fields whose facets are open at first. */
const FIRST = ['site', 'label.gpu', 'label.cpu', 'label.ram'];
const NEXT = ['node_type', 'gpu.gpu_count', 'label.disk', 'label.network', 'architecture.smt_size'];

/** Shows a facet for each useful field. The fields in `FIRST` and `NEXT` come first, then the other fields by class. */
export function Facets({ fleet, fields, filters, chosen, change }: FacetsProps) {
  const useful = useMemo(() => fields.filter((field) => isUseful(field, fleet.table.total)), [fields, fleet]);
  const { foremost, groups } = useMemo(() => {
    const isFiltered = (name: string) => filters.some(({ field }) => field === name);
    return groupsOf(useful.filter(({ name }) => isFiltered(name) || hasValues(fleet, name, chosen.rows)));
  }, [useful, fleet, filters, chosen]);
  const facet = (field: Field, isOpen: boolean) => (
    <FacetPanel
      key={field.name}
      fleet={fleet}
      field={field.name}
      chosen={chosen}
      isOpen={isOpen}
      description={field.description}
      filter={filters.find((filter) => filter.field === field.name)}
      change={(texts, range) => change(field.name, texts, range)}
    />
  );
  return (
    <>
      {foremost.map((field) => facet(field, FIRST.includes(field.name)))}
      {groups.map(({ name, fields }) => (
        <details class="facet-group" key={name}>
          <summary>{capitalized(name)}</summary>
          {fields.map((field) => facet(field, false))}
        </details>
      ))}
    </>
  );
}

/** True if a found node has a value of the field. */
function hasValues(fleet: Fleet, field: string, found: readonly number[]): boolean {
  const { rows, textIndexes } = facetColumn(fleet, field);
  return found.some((row) => textIndexes[rows[row] ?? -1]?.length);
}

function groupsOf(useful: readonly Field[]) {
  const foremost = [...FIRST, ...NEXT].flatMap((name) => useful.find((field) => field.name === name) ?? []);
  const others = useful.filter(
    (field) =>
      !foremost.includes(field) &&
      !field.name.startsWith(`${LABEL_PREFIX}.`) &&
      !PLACE_NAMES.some((name) => name === field.name),
  );
  const groups = FIELD_CLASSES.map((name) => ({ name, fields: others.filter((field) => field.class === name) }));
  return { foremost, groups: groups.filter(({ fields }) => fields.length > 0) };
}

/** True if a filter on this field is useful. A derived field is useful only if it is a label. */
function isUseful({ name, class: about, distinct, nodes, values, range }: Field, total: number): boolean {
  if (about === 'component' || name === 'uid' || (about === 'derived' && !name.startsWith(LABEL_PREFIX))) return false;
  if (values === undefined && range === undefined) return false;
  return distinct > 1 ? distinct < nodes * 0.9 || distinct < 12 : distinct === 1 && nodes < total;
}

interface FacetProps {
  readonly fleet: Fleet;
  readonly field: string;
  readonly description: string | undefined;
  readonly filter: Filter | undefined;
  readonly chosen: Selection;
  readonly isOpen: boolean;
  readonly change: (texts: readonly string[], range: Range | undefined) => void;
}

const FEW = 8;
const MANY_NUMBERS = 5;

function FacetPanel(props: FacetProps) {
  const { field, description, filter, isOpen } = props;
  const [isUnfolded, setIsUnfolded] = useState(isOpen || filter !== undefined);
  const active = (filter?.texts.length ?? 0) + (filter?.range ? 1 : 0);
  return (
    <details class="facet" open={isUnfolded} onToggle={(event) => setIsUnfolded(event.currentTarget.open)}>
      <summary title={description}>
        {fieldTitle(field)}
        {active > 0 ? <span class="badge">{active}</span> : null}
      </summary>
      {isUnfolded ? <FacetBody {...props} /> : null}
    </details>
  );
}

function FacetBody({ fleet, field, filter, chosen, change }: FacetProps) {
  const { params } = usePlace();
  const column = facetColumn(fleet, field);
  const others = useMemo(() => chosen.rowsWithout(field), [chosen, field]);
  const counts = useMemo(() => countsIn(column, others), [column, others]);
  const without = useMemo(
    () => others.filter((row) => !column.textIndexes[column.rows[row] ?? -1]?.length).length,
    [others],
  );
  const [isExpanded, setIsExpanded] = useState(false);
  const [wanted, setWanted] = useState('');
  const choices = choicesOf(column, counts, filter?.texts ?? []);
  const isNumeric = column.values.filter((value) => typeof value === 'number').length >= MANY_NUMBERS;
  const named = choices.filter(({ place, text }) =>
    `${text} ${valueText(column.values[place], field)}`.toLowerCase().includes(wanted.toLowerCase()),
  );
  const shown = isExpanded ? named : named.filter(({ isChosen }, i) => i < FEW || isChosen);
  if (column.values.every((value) => typeof value === 'number'))
    shown.sort((a, b) => byValue(column.values[a.place] ?? null, column.values[b.place] ?? null));
  const toggle = (text: string, isChosen: boolean) => {
    const others = (filter?.texts ?? []).filter((other) => other !== text);
    change(isChosen ? [...others, text] : others, filter?.range);
  };
  return (
    <fieldset>
      <legend class="hidden">{fieldTitle(field)}</legend>
      {isNumeric ? (
        <MorePart
          show={({ NumberFacet }) => (
            <NumberFacet
              column={column}
              rows={others}
              field={field}
              range={filter?.range}
              change={(range) => change(filter?.texts ?? [], range)}
            />
          )}
        />
      ) : null}
      {isExpanded && choices.length > FEW * 2 ? (
        <input
          type="search"
          aria-label={`Values of ${fieldTitle(field)}`}
          placeholder="Values…"
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
      ) : null}
      <ul>
        {shown.map(({ place, text, nodes, isChosen }) => (
          <li key={text}>
            <Checkbox checked={isChosen} change={(isWanted) => toggle(text, isWanted)}>
              <span class="text" title={valueText(column.values[place], field)}>
                {valueText(column.values[place], field)}
              </span>
              <span class="count">{nodes}</span>
            </Checkbox>
          </li>
        ))}
        {without > 0 && filter === undefined && !params.has('q') ? (
          <li class="without">
            <a href={fragmentOf('nodes', withParams(params, { q: `${fieldText(field)} IS NULL`, page: undefined }))}>
              no value
            </a>
            <span class="count">{without}</span>
          </li>
        ) : null}
      </ul>
      {named.length > FEW ? (
        <button type="button" class="link" onClick={() => setIsExpanded(!isExpanded)}>
          {isExpanded ? 'Fewer' : `All ${counted(named.length, 'value')}`}
        </button>
      ) : null}
    </fieldset>
  );
}

/** Returns the values of a facet, the most frequent first. Omits values that no node has, but keeps chosen values. */
function choicesOf({ texts, values }: FacetColumn, counts: Uint32Array, wanted: readonly string[]) {
  return texts
    .map((text, place) => ({ place, text, nodes: counts[place] ?? 0, isChosen: wanted.includes(text) }))
    .filter(({ nodes, isChosen }) => nodes > 0 || isChosen)
    .sort((a, b) => b.nodes - a.nodes || byValue(values[a.place] ?? null, values[b.place] ?? null));
}
