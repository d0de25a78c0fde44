/** A node: what it has, what became of it, which others are like it, and how to use and cite it. */

import { useMemo } from 'preact/hooks';
import { FIELD_CLASSES } from '../../core/model/field-classes.ts';
import type { JsonObject } from '../../core/model/json.ts';
import type { AppState } from '../app-state.ts';
import { readNode } from '../data/nodes.ts';
import type { Field } from '../data/registry.ts';
import { type BodyField, bodyFields } from '../fleet/comparison.ts';
import { typeOf } from '../fleet/node-types.ts';
import { profilesOf, substitutes } from '../fleet/profiles.ts';
import { Notice } from '../parts/notice.tsx';
import { Read } from '../parts/read.tsx';
import { FieldLabel } from '../parts/table.tsx';
import { UseAndCite } from '../parts/take-along.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { counted, Value, visible } from '../parts/value.tsx';
import { fragmentOf, linkWithin, shortUids } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';

export function NodeView({ state }: { state: AppState }) {
  const { fleet, place, reader } = state;
  const row = fleet.rowOf(place.path);
  return row < 0 ? <Gone state={state} /> : <Known state={state} row={row} key={reader.urlOf(`/${place.path}`)} />;
}

function Gone({ state }: { state: AppState }) {
  const { place } = state;
  return (
    <>
      <h1 tabIndex={-1}>No such node now</h1>
      <Notice kind="info" title={`There is no node at ${visible(place.path)} at this revision.`}>
        It may be gone, or the link is of another registry. <a href={fragmentOf('nodes')}>All nodes</a>
      </Notice>
      <Timeline state={state} path={place.path} />
    </>
  );
}

function Known({ state, row }: { state: AppState; row: number }) {
  const { fleet, registry, reader, place } = state;
  const name = fleet.nameOf(row);
  const { site } = fleet.placeOf(row);
  const uid = fleet.table.uids[row] ?? '';
  const type = typeOf(fleet.table, row);
  const loaded = useLoaded(`${place.path} ${registry.version}`, () => readNode(reader, fleet, row, registry));
  const isPicked = state.picked.includes(row);
  return (
    <article class="node">
      <h1 tabIndex={-1}>{name}</h1>
      <p class="under">
        at <a href={linkWithin(place, `sites/${site}`)}>{site}</a> · <code>{uid}</code> ·{' '}
        <a href={reader.urlOf(`/${place.path}`)}>JSON</a>
      </p>
      <p class="buttons">
        <button type="button" aria-pressed={isPicked} onClick={() => state.pick(row, !isPicked)}>
          {isPicked ? 'Picked' : 'Pick to compare'}
        </button>
        {type === undefined ? null : (
          <a href={linkWithin(place, 'compare', { pick: uid, majority: '1' })}>
            Compare with the majority of {visible(type)}
          </a>
        )}
      </p>
      <Likes state={state} row={row} />
      <h2>What it has</h2>
      <Read of={loaded}>
        {({ body, isPartial }) => (
          <>
            <BodyTables body={body} fields={registry.fields} />
            {isPartial ? (
              <p class="absent">
                Left out here, since every node has its own: {fleet.table.leftOut.join(', ')}. They stand in the JSON
                document.
              </p>
            ) : null}
          </>
        )}
      </Read>
      <h2>What became of it</h2>
      <Timeline state={state} path={place.path} />
      <h2>Use and cite it</h2>
      <UseAndCite state={state} rows={[row]} />
    </article>
  );
}

/** Unfolded at first: what people ask of. */
const FOREMOST = ['hardware'];

/** The fields that stand together: a part of which there are several, or all that are no part of anything. */
interface Part {
  readonly title: string;
  readonly fields: readonly BodyField[];
}

export function BodyTables({ body, fields }: { body: JsonObject; fields: readonly Field[] }) {
  const all = bodyFields(body);
  const words = new Map(fields.map(({ name, description }) => [name, description]));
  return (
    <>
      {FIELD_CLASSES.map((about) => {
        const some = all.filter((field) => field.class === about);
        if (some.length === 0) return null;
        return (
          <details key={about} class="class" open={FOREMOST.includes(about)}>
            <summary>{about.charAt(0).toUpperCase() + about.slice(1)}</summary>
            <div class="body-parts">
              {partsOf(some).map(({ title, fields: held }) => (
                <section key={title} aria-label={title}>
                  {title === '' ? null : <h3>{title}</h3>}
                  <dl class="fields">
                    {held.map((field) => (
                      <div key={field.label}>
                        <dt title={words.get(field.name)}>
                          <FieldLabel label={field.label} />
                        </dt>
                        <dd>
                          <Value value={field.value} field={field.name} />
                        </dd>
                      </div>
                    ))}
                  </dl>
                </section>
              ))}
            </div>
          </details>
        );
      })}
    </>
  );
}

const ITEM = /^([^[\]]+)\[([^\]]*)\]\.(.+)$/;

/** Items of an array with the same fields and values become one part, under all of their names. */
function partsOf(fields: readonly BodyField[]): Part[] {
  const loose: BodyField[] = [];
  const items = new Map<string, { array: string; name: string; fields: BodyField[] }>();
  for (const field of fields) {
    const [, array = '', name = '', rest = ''] = ITEM.exec(field.label) ?? [];
    if (rest === '') {
      loose.push(field);
      continue;
    }
    const key = `${array}[${name}]`;
    const item = items.get(key) ?? { array, name, fields: [] };
    items.set(key, item);
    item.fields.push({ ...field, label: rest });
  }
  const alike = new Map<string, { array: string; names: string[]; fields: BodyField[] }>();
  for (const { array, name, fields: held } of items.values()) {
    const key = JSON.stringify([array, held.map(({ label, value }) => [label, value])]);
    const known = alike.get(key) ?? { array, names: [], fields: held };
    alike.set(key, known);
    known.names.push(name);
  }
  const parts = [...alike.values()].map(({ array, names, fields: held }) => {
    const count = names.length > 1 ? `${names.length} × ` : '';
    return { title: visible(`${count}${array} [${names.join(', ')}]`), fields: held };
  });
  return loose.length > 0 ? [{ title: '', fields: loose }, ...parts] : parts;
}

/** Nodes with the same hardware, to take instead of one that is reserved; then those that differ least. */
const MOST_NAMED = 12;
const MOST_SUBSTITUTES = 5;

export function Likes({ state, row }: { state: AppState; row: number }) {
  const { fleet, place } = state;
  const { table } = fleet;
  const profiles = profilesOf(table);
  const twins = (profiles.rows[profiles.of[row] ?? -1] ?? []).filter((other) => other !== row);
  const near = useMemo(() => substitutes(table, profiles, row, MOST_SUBSTITUTES), [table, profiles, row]);
  const link = (other: number) => <a href={linkWithin(place, fleet.pathOf(other))}>{fleet.nameOf(other)}</a>;
  const comparison = (other: number) => {
    const pick = shortUids([table.uids[row] ?? '', table.uids[other] ?? ''], table.uids);
    return <a href={linkWithin(place, 'compare', { pick })}>compare</a>;
  };
  return (
    <section aria-labelledby="likes">
      <h2 id="likes">Nodes like it</h2>
      {twins.length === 0 ? (
        <p>No other node has the same hardware.</p>
      ) : (
        <>
          <p>{counted(twins.length, 'other node has', 'other nodes have')} the same hardware, field by field:</p>
          <ul class="inline">
            {twins.slice(0, MOST_NAMED).map((other) => (
              <li key={other}>
                {link(other)} <span class="absent">{fleet.placeOf(other).site}</span>
              </li>
            ))}
            {twins.length > MOST_NAMED ? <li class="absent">and {twins.length - MOST_NAMED} more</li> : null}
          </ul>
        </>
      )}
      {near.length === 0 ? null : (
        <details class="class">
          <summary>Those that differ least</summary>
          <ul class="rows">
            {near.map((other) => (
              <li key={other.row}>
                {link(other.row)}
                {other.nodes > 1 ? ` and ${counted(other.nodes - 1, 'other', 'others')}` : ''} at{' '}
                {fleet.placeOf(other.row).site}: {counted(other.fields, 'field of hardware', 'fields of hardware')}{' '}
                differ
                {' · '}
                {comparison(other.row)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
