import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Json } from '../../core/model/json.ts';
import { findField } from '../../core/query/columns.ts';
import { ABSENT } from '../../core/table/node-table.ts';
import type { AppState } from '../app-state.ts';
import { fieldTitle } from '../fleet/field-titles.ts';
import { facetColumn, parameterOf } from '../fleet/filters.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { pathWithName } from '../fleet/paths-with-names.ts';
import type { Line, Lines } from '../fleet/table-lines.ts';
import type { Sorting } from '../fleet/table-params.ts';
import { fragmentOf, linkWithin } from '../state/place.ts';
import { rememberTableScroll, tableScroll } from '../state/scroll.ts';
import { useFocusFallback } from '../state/use-kept-focus.ts';
import { counted, joinedValues, Values } from './value.tsx';

interface TableOfNodesProps {
  readonly state: AppState;
  readonly lines: Lines;
  readonly columns: readonly string[];
  /** The found nodes. The table computes the column widths from their values. */
  readonly rows: readonly number[];
  /** Hides the columns that do not fit into the window. If undefined, the table shows all columns. */
  readonly hide: ((columns: readonly string[]) => void) | undefined;
  /** The fields that the query names. The table never hides these fields. */
  readonly asked: readonly string[];
  /** True if the rows belong to an earlier query, because the current query is wrong or incomplete. */
  readonly isStale: boolean;
  readonly sortings: readonly Sorting[];
  /** Sorts by a column. If `isAdded` is true, adds the column to the current sort columns. */
  readonly sort: (field: string, isAdded: boolean) => void;
  readonly isGrouped: boolean;
  /** Opens or closes the group that begins with this row. */
  readonly open: (row: number) => void;
  readonly opened: ReadonlySet<number>;
  /** The number of the page, from 0. If undefined, the table renders rows while the user scrolls. */
  readonly page: number | undefined;
  readonly isNarrow: boolean;
}

const NAME = 'node_name';
export const ROWS_PER_PAGE = 100;
const ROW_HEIGHT = 32;
/** The maximum width of a text column, measured in digits. Columns of names or numbers can be wider. */
const MOST_DIGITS = 28;
const MOST_LETTERS = 120;
const ARROWS = { ascending: '▲', descending: '▼' };
/** The font weight of `.nodes th button` in the style sheet. */
const HEAD_WEIGHT = 600;
const PADDING_REM = 1.25;
/** The additional padding after numbers, as in the rule `.nodes .number` of the style sheet. */
const NUMBER_PADDING_REM = 0.6;
const PICK_WIDTH = 40;
/** The indent of a node in an open group, as in the rule `.member .name` of the style sheet. */
const INDENT_REM = 1;
/** The maximum number of nodes that one click can pick, because the URL contains all picked nodes. */
const MOST_PICKED = 1000;

/** Renders only the visible rows. If `page` is set, renders all its rows, for screen readers and browser search. */
export function TableOfNodes(props: TableOfNodesProps) {
  const { state, lines, columns, rows, hide, asked, sortings, sort, isGrouped, open, opened, page, isNarrow } = props;
  const { fleet } = state;
  const fieldsOf = useMemo(() => measuredFields(columns, fleet), [columns.join(), fleet]);
  const all = useMemo(() => fieldsOf(rows, isGrouped), [fieldsOf, rows, isGrouped]);
  const inSight = useWindow(lines.length, ROW_HEIGHT);
  const region = () => inSight.ref.current;
  useFocusFallback(region, region);
  const from = page === undefined ? inSight.from : page * ROWS_PER_PAGE;
  const to = page === undefined ? inSight.to : Math.min(lines.length, from + ROWS_PER_PAGE);
  const picked = new Set(state.picked);
  const lastPicked = useRef<Line | undefined>(undefined);
  const pick = (index: number, isPicked: boolean, isRange: boolean) => {
    // The last clicked line can have a new index, because the user can sort or open groups.
    const key = keyOf(lastPicked.current);
    const last = isRange ? lines.slice(0, lines.length).findIndex((line) => keyOf(line) === key) : -1;
    const other = last >= 0 ? last : index;
    lastPicked.current = lines.slice(index, index + 1)[0];
    const some = lines.slice(Math.min(index, other), Math.max(index, other) + 1);
    state.pick([...new Set(some.flatMap(({ members }) => members))], isPicked);
  };
  const filtered = [...state.place.params.keys()];
  const isKept = ({ name }: ShownField) =>
    [NAME, ...asked].includes(name) ||
    sortings.some(({ field }) => field === name) ||
    filtered.includes(parameterOf(name));
  const fields = hide && !inSight.isPrinted ? fieldsThatFit(all, inSight.width - PICK_WIDTH, isKept) : all;
  const hidden = all.flatMap((field) => (fields.includes(field) ? [] : field.name));
  useLayoutEffect(() => hide?.(hidden), [hidden.join()]);
  const width = fields.length + 1;
  const count = rows.filter((row) => picked.has(row)).length;
  return (
    <section
      class={`scroll${page === undefined ? '' : ' pages'}${props.isStale ? ' stale' : ''}`}
      tabIndex={0}
      aria-label="Table of nodes"
      ref={inSight.ref}
      onScroll={inSight.follow}
    >
      <table
        class={isNarrow ? 'nodes cards' : 'nodes'}
        style={{
          minWidth:
            isNarrow || inSight.isPrinted
              ? undefined
              : `${fields.reduce((sum, { width }) => sum + width, PICK_WIDTH)}px`,
        }}
        aria-rowcount={lines.length + 1}
      >
        <colgroup>
          <col style={{ width: `${PICK_WIDTH}px` }} />
          {fields.map(({ name, width }) => (
            <col key={name} style={{ width: `${width}px` }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" class="pick">
              <span class="hidden">Picked</span>
              <input
                type="checkbox"
                checked={count > 0 && count === rows.length}
                indeterminate={count > 0 && count < rows.length}
                disabled={rows.length > MOST_PICKED || !fleet.hasUids}
                aria-label={`Pick all ${counted(rows.length, 'found node')}`}
                onClick={(event) => state.pick(rows, event.currentTarget.checked)}
              />
            </th>
            {fields.map((field) => (
              <SortableHead key={field.name} field={field} sortings={sortings} sort={sort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap rows={page === undefined ? from : 0} width={width} />
          {lines.slice(from, to).map((line, i) => (
            <LineRow
              key={keyOf(line)}
              state={state}
              line={line}
              fields={fields}
              index={from + i}
              pick={pick}
              pickedCount={line.members.filter((row) => picked.has(row)).length}
              open={open}
              isOpen={opened.has(line.row)}
            />
          ))}
          <Gap rows={page === undefined ? lines.length - to : 0} width={width} />
        </tbody>
      </table>
    </section>
  );
}

/** Identifies a line. An open group and its first member have the same row. */
function keyOf(line: Line | undefined): string {
  return `${line?.row} ${line?.isMember}`;
}

/** Returns a function that computes the column widths for some rows. It measures each value once. */
function measuredFields(columns: readonly string[], fleet: Fleet) {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const widthOf = measureOfTexts();
  const headWidthOf = measureOfTexts(HEAD_WEIGHT);
  const measured = columns.map((name) => {
    const { valuesOf } = findField(name, fleet.query);
    const isName = name === NAME;
    const { values, rows: numbers } = facetColumn(fleet, name);
    const isNumber = values.length > 0 && values.every((value) => typeof value === 'number');
    const limit = isName || isNumber ? Number.POSITIVE_INFINITY : widthOf('0') * MOST_DIGITS;
    const widths: number[] = [];
    const widthAt = (row: number) => {
      const number = isName ? row : (numbers[row] ?? ABSENT);
      if (number === ABSENT) return 0;
      widths[number] ??= widthOf(isName ? fleet.nameOf(row) : joinedValues(valuesOf(row), name));
      return widths[number];
    };
    return { name, valuesOf, isName, isNumber, limit, widthAt };
  });
  return (rows: readonly number[], isGrouped: boolean): ShownField[] =>
    measured.map(({ name, valuesOf, isName, isNumber, limit, widthAt }) => {
      const isGroups = isName && isGrouped;
      const widest = rows.reduce((most, row) => Math.max(most, widthAt(row)), 0) + (isGroups ? INDENT_REM * rem : 0);
      const head = headWidthOf(
        isGroups ? `${counted(rows.length, 'node')} ▸` : `${fieldTitle(name)} ${ARROWS.descending}`,
      );
      const padding = (PADDING_REM + (isNumber ? NUMBER_PADDING_REM : 0)) * rem;
      return { name, valuesOf, isNumber, width: Math.ceil(Math.max(head, Math.min(widest, limit))) + padding };
    });
}

/** Removes fields from the end until the rest fits into `width` pixels, except fields that `isKept` accepts. */
function fieldsThatFit(
  fields: readonly ShownField[],
  width: number,
  isKept: (field: ShownField) => boolean,
): readonly ShownField[] {
  let shown = fields;
  while (shown.reduce((sum, field) => sum + field.width, 0) > width) {
    const last = shown.findLast((field) => !isKept(field));
    if (!last) break;
    shown = shown.filter((field) => field !== last);
  }
  return shown;
}

interface SortableHeadProps extends Pick<TableOfNodesProps, 'sortings' | 'sort'> {
  readonly field: ShownField;
}

function SortableHead({ field: { name, isNumber }, sortings, sort }: SortableHeadProps) {
  const place = sortings.findIndex(({ field }) => field === name);
  const isSorted = place >= 0;
  const order = sortings[place]?.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" aria-sort={isSorted ? order : 'none'} class={cellClass(name, isNumber)}>
      <button type="button" title={name} onClick={(event) => sort(name, event.shiftKey)}>
        {fieldTitle(name)}
        {isSorted ? (
          <span class="arrow" aria-hidden="true">
            {ARROWS[order]}
            {sortings.length > 1 ? place + 1 : ''}
          </span>
        ) : null}
      </button>
    </th>
  );
}

function cellClass(name: string, isNumber: boolean): string | undefined {
  return name === NAME ? 'name' : isNumber ? 'number' : undefined;
}

function Gap({ rows, width }: { rows: number; width: number }) {
  if (rows <= 0) return null;
  return (
    <tr class="gap" aria-hidden="true">
      <td colSpan={width} style={{ height: `${rows * ROW_HEIGHT}px` }} />
    </tr>
  );
}

interface ShownField {
  readonly name: string;
  readonly valuesOf: (row: number) => readonly Json[];
  readonly isNumber: boolean;
  /** The width of the column in pixels. */
  readonly width: number;
}

interface LineRowProps {
  readonly state: AppState;
  readonly line: Line;
  readonly fields: readonly ShownField[];
  readonly open: (row: number) => void;
  readonly isOpen: boolean;
  readonly pickedCount: number;
  readonly index: number;
  /** Picks or releases the nodes of a line. With `isRange`, includes all lines since the last click. */
  readonly pick: (index: number, isPicked: boolean, isRange: boolean) => void;
}

function LineRow({ state, line, fields, open, isOpen, pickedCount, index, pick }: LineRowProps) {
  const { fleet, place } = state;
  const { row, members, isMember } = line;
  const name = fleet.nameOf(row);
  const isPicked = pickedCount === members.length;
  const isGroup = members.length > 1;
  return (
    <tr aria-rowindex={index + 2} class={`${isPicked ? 'picked' : ''} ${isMember ? 'member' : ''}`}>
      <td class="pick">
        <input
          type="checkbox"
          checked={isPicked}
          indeterminate={pickedCount > 0 && !isPicked}
          disabled={!fleet.hasUids}
          aria-label={isGroup ? `Pick ${counted(members.length, 'node')} like ${name}` : `Pick ${name}`}
          onClick={(event) => pick(index, event.currentTarget.checked, event.shiftKey)}
        />
      </td>
      {fields.map((field) => {
        const values = isGroup ? valuesOfAll(line, field) : field.valuesOf(row);
        const isName = field.name === NAME;
        return (
          <td
            key={field.name}
            data-title={fieldTitle(field.name)}
            class={cellClass(field.name, field.isNumber)}
            title={isName ? (isGroup ? undefined : name) : joinedValues(values, field.name)}
          >
            {isName && isGroup ? (
              <button type="button" class="link" aria-expanded={isOpen} onClick={() => open(row)}>
                {counted(members.length, 'node')} <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
              </button>
            ) : isName ? (
              <a href={fleet.hasUids ? fragmentOf(fleet.pathOf(row), place.params) : linkByName(row, state)}>{name}</a>
            ) : (
              <Values values={values} field={field.name} />
            )}
          </td>
        );
      })}
    </tr>
  );
}

/** Returns a link that works before the uids are loaded. If several nodes have the name, the link lists them. */
function linkByName(row: number, { fleet, place }: AppState): string {
  const path = pathWithName(row, fleet);
  return path === undefined
    ? linkWithin(place, 'nodes', { [parameterOf(NAME)]: fleet.nameOf(row) })
    : fragmentOf(path, place.params);
}

const MOST = 3;

function valuesOfAll({ members }: Line, { valuesOf }: ShownField): readonly Json[] {
  const all = new Map(members.flatMap((row) => valuesOf(row)).map((value) => [String(value), value]));
  const values = [...all.values()];
  return values.length <= MOST ? values : [...values.slice(0, MOST), '…'];
}

/** The number of rows above and below the visible rows, to prevent gaps while the user scrolls. */
const EXTRA = 8;

const PRINTING = ['beforeprint', 'afterprint'] as const;

/** Returns the range of the visible rows, or all rows for printing. */
function useWindow(rows: number, rowHeight: number) {
  const ref = useRef<HTMLDivElement>(null);
  const [first, setFirst] = useState(0);
  const [isPrinted, setIsPrinted] = useState(false);
  const [{ width, height }, setSize] = useState({ width: 0, height: 600 });
  const follow = () => {
    const top = ref.current?.scrollTop ?? 0;
    rememberTableScroll(top);
    ref.current?.classList.toggle('aside', ref.current.scrollLeft > 0);
    setFirst(Math.floor(top / rowHeight));
  };
  useLayoutEffect(() => {
    const region = ref.current;
    if (!region) return undefined;
    region.scrollTop = tableScroll();
    const measure = () => setSize({ width: region.clientWidth, height: region.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(region);
    const follow = ({ type }: Event) => setIsPrinted(type === 'beforeprint');
    for (const type of PRINTING) addEventListener(type, follow);
    return () => {
      observer.disconnect();
      for (const type of PRINTING) removeEventListener(type, follow);
    };
  }, []);
  if (isPrinted) return { ref, follow, width, isPrinted, from: 0, to: rows };
  const visible = Math.ceil(height / rowHeight);
  const seen = Math.max(0, Math.min(first, rows - visible));
  return { ref, follow, width, isPrinted, from: Math.max(0, seen - EXTRA), to: Math.min(rows, seen + visible + EXTRA) };
}

/** The assumed width of a letter in em, for browsers without a canvas. */
const WIDE_LETTER = 0.7;

/** Adds the widths of the letters, because the browser takes far longer to measure each text. */
function measureOfTexts(weight = 400): (text: string) => number {
  const { fontSize, fontFamily } = getComputedStyle(document.body);
  const context = document.createElement('canvas').getContext('2d');
  if (context) context.font = `${weight} ${fontSize} ${fontFamily}`;
  const widths = new Map<string, number>();
  return (text) => {
    let sum = 0;
    for (const letter of text.slice(0, MOST_LETTERS)) {
      const width =
        widths.get(letter) ?? context?.measureText(letter).width ?? Number.parseFloat(fontSize) * WIDE_LETTER;
      widths.set(letter, width);
      sum += width;
    }
    return sum;
  };
}
