import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { FIELD_CLASSES } from '../../core/model/field-classes.ts';
import { pathOfField } from '../../core/model/fields/field-name.ts';
import { quantityTexts, unitOfField } from '../../core/model/units.ts';
import type { AppState } from '../app-state.ts';
import type { ComparedBody } from '../data/compared-bodies.ts';
import { type ComparedField, compared, isDifferent, isSameNominalSize } from '../fleet/comparison.ts';
import { cardsOf, fieldWords, ITEM, partTitle } from '../fleet/hardware-cards.ts';
import { Checkbox } from './checkbox.tsx';
import { Notice } from './notice.tsx';
import { LeftOutFields } from './read.tsx';
import { HeadRow, ScrollRegion } from './table.tsx';
import { capitalized, Quantity, Value, valueText, visible } from './value.tsx';

interface ComparisonTableProps {
  readonly state: AppState;
  readonly bodies: readonly ComparedBody[];
  readonly hasEqualFields: boolean;
  readonly heads: readonly ComponentChildren[];
  /** One line of text for each column. */
  readonly summaries?: readonly string[] | undefined;
}

/** The field classes that the explorer hides at first, because their values differ between most nodes. */
const HIDDEN_CLASSES: readonly string[] = ['component', 'identity', 'derived', 'administrative', 'placement'];

export function ComparisonTable({ state, bodies, hasEqualFields, heads, summaries }: ComparisonTableProps) {
  const comparison = useMemo(() => {
    // The body of a node type contains the uid of a compared node.
    const isOneNode = new Set(bodies.map(({ body, type }) => `${body['uid']} ${type?.name}`)).size === 1;
    return compared(
      bodies.map(({ body }) => body),
      { hasEqualFields, byRole: !isOneNode },
    );
  }, [bodies, hasEqualFields]);
  const counts = FIELD_CLASSES.map((name) => ({
    name,
    count: comparison.fields.filter((field) => field.class === name).length,
  })).filter(({ count }) => count > 0);
  const [hidden, setHidden] = useState(HIDDEN_CLASSES);
  const shown = counts.filter(({ name }) => !hidden.includes(name));
  const sections = shown.flatMap(({ name }) => {
    const fields = comparison.fields.filter((field) => field.class === name);
    return name === 'hardware' ? cardsOf(fields) : [{ title: capitalized(name), fields }];
  });
  const toggle = (name: string, isShown: boolean) =>
    setHidden(isShown ? hidden.filter((other) => other !== name) : [...hidden, name]);
  return (
    <>
      <fieldset class="classes">
        <legend>Field classes</legend>
        {counts.map(({ name, count }) => (
          <Checkbox key={name} checked={!hidden.includes(name)} change={(isShown) => toggle(name, isShown)}>
            {name} <span class="absent">{count}</span>
          </Checkbox>
        ))}
      </fieldset>
      {shown.length === 0 ? (
        <Notice kind="info" title={counts.length > 0 ? 'No differences in the selected classes.' : 'No differences.'}>
          {counts.length > 0 ? 'Fields of other classes differ. Select these classes above.' : 'All fields are equal.'}
        </Notice>
      ) : null}
      <ScrollRegion label="Table of the comparison" isFitted>
        <table class="comparison" style={{ '--columns': heads.length }}>
          <HeadRow heads={['Field', ...heads]} />
          {summaries ? (
            <tbody>
              <tr class="section">
                <th scope="row">Summary</th>
                {summaries.map((line, i) => (
                  <td key={i}>{line}</td>
                ))}
              </tr>
            </tbody>
          ) : null}
          {sections.map(({ title, fields }) => (
            <tbody key={title}>
              <tr class="section">
                <th scope="rowgroup" colSpan={heads.length + 1}>
                  {title}
                </th>
              </tr>
              {rowsOf(fields)}
            </tbody>
          ))}
        </table>
      </ScrollRegion>
      {comparison.reordered.length > 0 ? (
        <p class="absent">Same items in a different order: {comparison.reordered.join(', ')}</p>
      ) : null}
      <LeftOutFields state={state} bodies={bodies} />
    </>
  );
}

/** Returns one row for each field, but only one row for a part that some nodes lack. */
function rowsOf(fields: readonly ComparedField[]) {
  const byPart = Map.groupBy(fields, ({ label }) => ITEM.exec(label)?.[0] ?? label);
  return [...byPart].flatMap(([start, some]) => {
    const isPart = some.length > 1 && some[0]?.cells.some((_, i) => some.every(({ cells }) => cells[i] === undefined));
    return isPart
      ? [<PartRow key={start} fields={some} />]
      : some.map((field) => <FieldRow key={field.label} field={field} />);
  });
}

function PartRow({ fields }: { readonly fields: readonly ComparedField[] }) {
  const [{ label = '', cells = [] } = {}] = fields;
  const [, array = '', item = ''] = ITEM.exec(label) ?? [];
  const texts = cells.map((_, i) =>
    fields.flatMap(({ name, cells }) => ((cells[i] ?? item) === item ? [] : valueText(cells[i], name))).join(', '),
  );
  return (
    <tr>
      <th scope="row">
        {partTitle(array)} {visible(item)}
      </th>
      {texts.map((text, i) => {
        const isOther = text !== texts[0];
        return (
          <td key={i} class={isOther ? 'other' : undefined}>
            {text || <span class="absent">none</span>}
            {isOther ? <span class="hidden"> (differs)</span> : null}
          </td>
        );
      })}
    </tr>
  );
}

function FieldRow({ field }: { readonly field: ComparedField }) {
  const { label, name, cells } = field;
  const texts = quantitiesOf(cells, name);
  return (
    <tr>
      <th scope="row" title={visible(label)}>
        {fieldWords(field)}
      </th>
      {cells.map((cell, i) => {
        const isSame = isSameNominalSize(name, cell, cells[0]);
        const isOther = !isSame && isDifferent(cell, cells[0]);
        const text = texts[i];
        return (
          <td key={i} class={isOther ? 'other' : undefined}>
            {text === undefined ? <Value value={cell} field={name} /> : <Quantity value={Number(cell)} text={text} />}
            {isSame ? <span class="absent"> (same size)</span> : null}
            {isOther ? <span class="hidden"> (differs)</span> : null}
          </td>
        );
      })}
    </tr>
  );
}

/** Returns the quantities in a row, all in a common unit. */
function quantitiesOf(cells: ComparedField['cells'], name: string): readonly (string | undefined)[] {
  const unit = unitOfField(pathOfField(name) ?? [name]);
  if (unit === undefined) return [];
  const texts = quantityTexts(
    cells.filter((cell) => typeof cell === 'number'),
    unit,
  );
  return cells.map((cell) => (typeof cell === 'number' ? texts.shift() : undefined));
}
