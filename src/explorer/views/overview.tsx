import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { itemsIn, textOf } from '../../core/model/json.ts';
import type { ViewProps } from '../app-state.ts';
import { useMore } from '../data/more.ts';
import { writtenDataset } from '../data/reader.ts';
import type { ShownRegistry } from '../data/registry.ts';
import { exampleQuestions, gpuTest } from '../fleet/summary.ts';
import { Loading } from '../parts/notice.tsx';
import { dayOf, plainNumber } from '../parts/value.tsx';
import { linkWithin, navigateWithin } from '../state/place.ts';
import { useFocusOnSlash } from '../state/use-kept-focus.ts';

/** The first view describes the registry, its size, example questions and the latest changes. */
export function Overview({ state }: ViewProps) {
  const { fleet, place, registry } = state;
  const more = useMore(true);
  const [author, setAuthor] = useState('');
  const lastChange = `last change${author}`;
  const search = useRef<HTMLInputElement>(null);
  useFocusOnSlash(search);
  const questions = useMemo(() => exampleQuestions(fleet), [fleet]);
  const withGpu = useMemo(() => [...fleet.table.uids.keys()].filter(gpuTest(fleet)).length, [fleet]);
  const about = useMemo(() => aboutRegistry(registry), []);
  const withNodes = new Set(fleet.table.clusters.map(({ site }) => site)).size;
  const sites = registry.version === registry.newest ? Math.max(about.sites, withNodes) : withNodes;
  return (
    <article class="overview">
      <h1 tabIndex={-1}>{about.title}</h1>
      {about.description === '' ? null : <p class="lead">{about.description}</p>}
      <ul class="stats">
        <Stat href={linkWithin(place, 'nodes')} value={plainNumber(fleet.table.total)} label="nodes" />
        <Stat
          href={linkWithin(place, 'sites')}
          value={plainNumber(sites)}
          label={sites === withNodes ? 'sites with nodes' : `sites, ${withNodes} with nodes`}
        />
        {withGpu === 0 ? null : (
          <Stat
            href={linkWithin(place, 'nodes', { q: 'label.gpu IS NOT NULL' })}
            value={plainNumber(withGpu)}
            label="nodes with GPUs"
          />
        )}
        <Stat
          href={linkWithin(place, 'changes')}
          value={dayOf(registry.date)}
          label={<div title={lastChange}>{lastChange}</div>}
        />
      </ul>
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          const asked = String(new FormData(event.currentTarget).get('q') ?? '').trim();
          navigateWithin(place, 'nodes', { q: asked || undefined });
        }}
      >
        <input
          ref={search}
          type="search"
          name="q"
          aria-label="Words or a query"
          placeholder="A100, or label.ram >= 256GiB"
        />
        <button type="submit" class="button">
          Find nodes
        </button>
      </form>
      {questions.length === 0 ? null : (
        <ul class="chips">
          {questions.map(({ text, params, nodes }) => (
            <li key={text}>
              <a class="chip" href={linkWithin(place, 'nodes', params)}>
                {text} <span class="absent">{nodes}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {about.links.length === 0 ? null : (
        <ul class="inline">
          {about.links.map(({ title, href }) => (
            <li key={href}>
              <a href={href} rel="noreferrer">
                {title}
              </a>
            </li>
          ))}
        </ul>
      )}
      {more === 'missing' ? null : more ? <more.RegistrySummary state={state} setAuthor={setAuthor} /> : <Loading />}
    </article>
  );
}

interface StatProps {
  readonly href: string;
  readonly value: string;
  readonly label: ComponentChildren;
}

function Stat({ href, value, label }: StatProps) {
  return (
    <li>
      <a href={href}>
        <b>{value}</b> {label}
      </a>
    </li>
  );
}

/** Reads texts that the build wrote into the page: the description of the dataset, and the operator's links. */
function aboutRegistry({ grid }: ShownRegistry) {
  const dataset = writtenDataset() ?? {};
  const title = textOf(dataset['name']);
  // The default title repeats the name of the grid, which the header already shows.
  const isDefault = title === `Registry of the testbed ${textOf(grid['name']) || textOf(grid['uid'])}`;
  return {
    title: isDefault ? 'Hardware registry' : title,
    sites: itemsIn(dataset['spatialCoverage']).length,
    description: textOf(dataset['description']),
    links: [...document.querySelectorAll<HTMLLinkElement>('link[rel=related]')].map(({ title, href }) => ({
      title,
      href,
    })),
  };
}
