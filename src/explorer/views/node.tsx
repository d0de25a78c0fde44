/** A node: what it has, what became of it, which others are like it, and how to use and cite it. */
import type { AppState } from '../app-state.ts';
import { readNode } from '../data/nodes.ts';
import { typeOf } from '../fleet/node-types.ts';
import { visible } from '../format/values.ts';
import { BodyTables } from '../parts/body-tables.tsx';
import { Likes } from '../parts/likes.tsx';
import { Notice } from '../parts/notice.tsx';
import { Read } from '../parts/read.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { UseAndCite } from '../parts/use-and-cite.tsx';
import { fragmentOf, linkWithin } from '../state/place.ts';
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
