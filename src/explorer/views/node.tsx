import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import { FIELD_CLASSES } from '../../core/model/field-classes.ts';
import type { JsonObject } from '../../core/model/json.ts';
import type { ViewProps } from '../app-state.ts';
import { readNode } from '../data/nodes.ts';
import type { Field } from '../data/registry.ts';
import { siteUids } from '../data/search-further.ts';
import { answerOf } from '../fleet/answer.ts';
import { type BodyField, bodyFields } from '../fleet/comparison.ts';
import { cardsOf, fieldWords, ITEM, partTitle, summaryOf } from '../fleet/hardware-cards.ts';
import { sizeOfType, typeOf } from '../fleet/node-types.ts';
import { pathWithUid } from '../fleet/paths-with-names.ts';
import { pickText } from '../fleet/picks.ts';
import { profilesOf, substitutes } from '../fleet/profiles.ts';
import { placeTitle, siteTitle } from '../fleet/site-titles.ts';
import { NodeLinks } from '../parts/links.tsx';
import { Loading } from '../parts/notice.tsx';
import { Read } from '../parts/read.tsx';
import { Timeline, useVersions } from '../parts/timeline.tsx';
import { UseAndCite } from '../parts/use-and-cite.tsx';
import { capitalized, counted, Value, valueText, visible } from '../parts/value.tsx';
import { adjust, fragmentOf, linkWithin, navigate } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { NoNode } from './no-node.tsx';

export function NodeView({ state }: ViewProps) {
  const { fleet, place, reader } = state;
  const path = pathWithUid(place.path, fleet);
  useEffect(() => {
    if (path !== undefined) adjust(path, place.params);
  }, [path]);
  if (path !== undefined) return <Loading />;
  const row = fleet.rowOf(place.path);
  return row < 0 ? <NoNode state={state} /> : <NodePage state={state} row={row} key={reader.urlOf(`/${place.path}`)} />;
}

type RowProps = ViewProps & { readonly row: number };

function NodePage({ state, row }: RowProps) {
  const { fleet, registry, reader, place } = state;
  const { site } = fleet.placeOf(row);
  const uid = fleet.table.uids[row] ?? '';
  const type = typeOf(fleet.table, row);
  const loaded = useLoaded(`${place.path} ${registry.version}`, () => readNode(reader, fleet, row, registry));
  const versions = useVersions(state, place.path);
  const isPicked = state.picked.includes(row);
  return (
    <article class="node">
      <nav aria-label="Breadcrumb">
        <ol class="crumbs">
          <li>
            <a href={fragmentOf('nodes', place.params)}>Nodes</a>
          </li>
          <li>
            <a href={linkWithin(place, `sites/${site}`)}>{siteTitle(site)}</a>
          </li>
          {type === undefined ? null : (
            <li>
              <a href={linkWithin(place, 'nodes', { site, node_type: type })}>{visible(type)}</a>
            </li>
          )}
        </ol>
      </nav>
      <InAnswer state={state} row={row} />
      <h1 tabIndex={-1}>{fleet.nameOf(row)}</h1>
      <p class="facts">{summaryOf(fleet, row).line}</p>
      <p class="under">
        <code>{uid}</code> · <a href={reader.urlOf(`/${place.path}`)}>JSON</a>
      </p>
      <p class="buttons">
        <button type="button" aria-pressed={isPicked} onClick={() => state.pick([row], !isPicked)}>
          {isPicked ? 'Picked' : 'Pick to compare'}
        </button>
        {type === undefined || sizeOfType(fleet.table, row) < 2 ? null : (
          <a href={linkWithin(place, 'compare', { pick: pickText([row], fleet), majority: '1' })}>
            Compare with a typical {visible(type)}
          </a>
        )}
      </p>
      <h2>Hardware</h2>
      <Read of={loaded}>
        {({ body, isPartial }) => (
          <>
            <HardwareCards state={state} row={row} body={body} />
            <OtherClasses body={body} fields={registry.fields} />
            {isPartial ? (
              <p class="absent">
                Not shown here, because nearly every node has a different value:{' '}
                {fleet.table.omittedFields.map(visible).join(', ')}. The JSON document contains these fields.
              </p>
            ) : null}
          </>
        )}
      </Read>
      {/* The rest of the view appears after the hardware. Otherwise the rest would move down. */}
      {loaded.kind === 'loading' || versions.kind === 'loading' ? null : (
        <>
          <SimilarNodes state={state} row={row} />
          <h2>History</h2>
          <Timeline state={state} path={place.path} of={versions} />
          <h2>Use and cite it</h2>
          <UseAndCite state={state} rows={[row]} />
        </>
      )}
    </article>
  );
}

const STEPS = new Map([
  ['ArrowLeft', -1],
  ['ArrowRight', 1],
]);

/** Links to the previous and the next node in the results of the search that led to this node. */
function InAnswer({ state: { fleet, place, reader }, row }: RowProps) {
  const hasQuery = place.params.has('q');
  const loaded = useLoaded(`site uids ${hasQuery}`, async () => (hasQuery ? siteUids(reader) : undefined));
  const names = loaded.kind === 'done' ? loaded.value : undefined;
  const rows = useMemo(() => answerOf(fleet, place.params, names), [fleet, String(place.params), names]);
  const at = rows.indexOf(row);
  const pathAt = (step: number) => {
    const other = at < 0 ? undefined : rows[at + step];
    return other === undefined ? undefined : fleet.pathOf(other);
  };
  // The listener must know the new node before the next key. An effect that runs later can miss it.
  useLayoutEffect(() => {
    const follow = ({ key, target, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent) => {
      const isElsewhere = target instanceof Element && target.matches('input, select, .scroll');
      const path = pathAt(STEPS.get(key) ?? Number.NaN);
      if (path !== undefined && !isElsewhere && !(altKey || ctrlKey || metaKey || shiftKey))
        navigate(path, place.params);
    };
    addEventListener('keydown', follow);
    return () => removeEventListener('keydown', follow);
  });
  if (at < 0) return null;
  const link = (step: number, text: string, title: string) => {
    const path = pathAt(step);
    if (path === undefined) return <span class="absent">{text}</span>;
    return (
      <a href={fragmentOf(path, place.params)} title={title}>
        {text}
      </a>
    );
  };
  return (
    <nav class="paging" aria-label="Found nodes">
      {link(-1, 'Previous', 'Left arrow')}
      <span>
        {at + 1} of {counted(rows.length, 'found node')}
      </span>
      {link(1, 'Next', 'Right arrow')}
    </nav>
  );
}

/** The card omits this field, because its heading shows whether the node has a GPU. */
const GPU_PRESENCE = 'gpu.gpu';

/** Returns the fields of a body. Omits the kind, null and empty values, and values that repeat a device's name. */
function shownFields(body: JsonObject): BodyField[] {
  return bodyFields(body).filter(
    ({ label, value }) =>
      label !== 'type' &&
      !['null', '{}', '[]', '""'].includes(JSON.stringify(value)) &&
      ITEM.exec(label)?.[2] !== value,
  );
}

function HardwareCards({ state, row, body }: RowProps & { readonly body: JsonObject }) {
  const { fleet, registry } = state;
  const { of } = summaryOf(fleet, row);
  const hardware = shownFields(body).filter((field) => field.class === 'hardware');
  const platform = hardware.find(({ name }) => name === 'architecture.platform_type')?.value;
  return (
    <div class="cards-of-node">
      {cardsOf(hardware).map(({ title, fields }) => {
        const hasNone = fields.some(({ name, value }) => name === GPU_PRESENCE && value === false);
        const heading = of[title] || (hasNone ? 'none' : '');
        const isRepeated = ({ name, label, value }: BodyField) =>
          name === GPU_PRESENCE ||
          (valueText(value, name) === heading && !label.includes('[')) ||
          (name === 'gpu.gpu_count' && heading !== '') ||
          (name === 'processor.instruction_set' && value === platform);
        return (
          <section key={title} aria-label={title}>
            <h3>
              {title} {heading === '' ? null : <strong>{heading}</strong>}
            </h3>
            <FieldParts fields={fields.filter((field) => !isRepeated(field))} described={registry.fields} />
          </section>
        );
      })}
    </div>
  );
}

function OtherClasses({ body, fields }: { readonly body: JsonObject; readonly fields: readonly Field[] }) {
  const byClass = Map.groupBy(shownFields(body), (field) => field.class);
  return FIELD_CLASSES.filter((name) => name !== 'hardware' && byClass.has(name)).map((name) => (
    <details key={name} class="class" open={name === 'component'}>
      <summary>{name === 'component' ? 'Serials and addresses' : capitalized(name)}</summary>
      <div class="body-parts">
        <FieldParts fields={byClass.get(name) ?? []} described={fields} />
      </div>
    </details>
  ));
}

interface FieldPartsProps {
  readonly fields: readonly BodyField[];
  readonly described: readonly Field[];
}

/** Shows each field in words. A tooltip shows the name and the description of the field. */
function FieldParts({ fields, described }: FieldPartsProps) {
  const descriptions = new Map(described.map(({ name, description = '' }) => [name, description]));
  return partsOf(fields).map(({ title, fields }) => (
    <section key={title} aria-label={title || undefined}>
      {title === '' ? null : <h4>{title}</h4>}
      <dl class="fields">
        {fields.map((field) => (
          <div key={field.label}>
            <dt title={`${visible(field.name)}: ${descriptions.get(field.name) ?? ''}`}>{fieldWords(field)}</dt>
            <dd>
              <Value value={field.value} field={field.name} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  ));
}

/** Groups fields by device. Devices with equal fields form one group. Fields outside of arrays come first. */
function partsOf(fields: readonly BodyField[]) {
  const items = [...Map.groupBy(fields, ({ label }) => ITEM.exec(label)?.[0] ?? '')].map(([start, members]) => {
    const [, array = '', name = ''] = ITEM.exec(start) ?? [];
    return { array, name, fields: members.map((field) => ({ ...field, label: field.label.slice(start.length) })) };
  });
  const equal = Map.groupBy(items, ({ array, fields }) =>
    JSON.stringify([array, fields.map(({ label, value }) => [label, value])]),
  );
  const parts = [...equal.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const names = [first, ...others].map(({ name }) => name).join(', ');
    const count = others.length > 0 ? `${others.length + 1} × ` : '';
    const title = first.array === '' ? '' : `${count}${partTitle(first.array)} ${visible(names)}`;
    return [{ title, fields: first.fields }];
  });
  return parts.sort((a, b) => Number(b.title === '') - Number(a.title === ''));
}

const MOST_NAMED = 12;
const MOST_SUBSTITUTES = 5;

/** Lists the nodes with the same hardware as this node, and the nodes whose hardware differs least from it. */
function SimilarNodes({ state, row }: RowProps) {
  const { fleet, place } = state;
  const { table } = fleet;
  const profiles = profilesOf(table);
  const order = fleet.orderOf();
  const equal = (profiles.rows[profiles.profileByRow[row] ?? -1] ?? [])
    .filter((other) => other !== row)
    .sort((a, b) => (order[a] ?? 0) - (order[b] ?? 0));
  const near = useMemo(() => substitutes(table, profiles, row, MOST_SUBSTITUTES), [table, profiles, row]);
  const comparison = (other: number) => linkWithin(place, 'compare', { pick: pickText([row, other], fleet) });
  return (
    <>
      <h2>Similar nodes</h2>
      {equal.length === 0 ? (
        <p>No other node has the same hardware.</p>
      ) : (
        <>
          <p>{counted(equal.length, 'other node has', 'other nodes have')} the same hardware:</p>
          <NodeLinks state={state} fleet={fleet} rows={equal} most={MOST_NAMED} />
        </>
      )}
      {near.length === 0 ? null : (
        <details class="class" open={equal.length === 0}>
          <summary>Closest matches</summary>
          <ul class="rows">
            {near.map((other) => (
              <li key={other.row}>
                <div>
                  <a href={linkWithin(place, fleet.pathOf(other.row))}>{fleet.nameOf(other.row)}</a>
                  {other.nodes > 1 ? ` and ${counted(other.nodes - 1, 'other', 'others')}` : ''} at{' '}
                  {placeTitle(other.row, fleet)}:{' '}
                  {counted(other.fields, 'hardware field differs', 'hardware fields differ')}
                  {' · '}
                  <a href={comparison(other.row)}>compare</a>
                </div>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
