import { useMemo, useRef } from 'preact/hooks';
import type { ViewProps } from '../app-state.ts';
import { useMore } from '../data/more.ts';
import { text, writtenDataset } from '../data/reader.ts';
import { exampleQuestions, type SiteSummary, siteSummaries } from '../fleet/summary.ts';
import { Loading } from '../parts/notice.tsx';
import { counted, dayOf, visible } from '../parts/value.tsx';
import { linkWithin, navigateWithin } from '../state/place.ts';
import { useFocusOnSlash } from '../state/use-kept-focus.ts';

/** The first view: what this registry is, how large it is, what can be asked, and what changed last. */
export function Overview({ state }: ViewProps) {
  const { fleet, place, registry } = state;
  const more = useMore(true);
  const search = useRef<HTMLInputElement>(null);
  useFocusOnSlash(search);
  const sites = useMemo(() => siteSummaries(fleet), [fleet]);
  const questions = useMemo(() => exampleQuestions(fleet), [fleet]);
  const about = useMemo(aboutRegistry, []);
  const withGpu = sites.reduce((sum, site) => sum + site.withGpu, 0);
  return (
    <article class="overview">
      <h1 tabIndex={-1}>{about.title}</h1>
      {about.description === '' ? null : <p class="lead">{about.description}</p>}
      <p class="facts">
        <a href={linkWithin(place, 'nodes')}>{counted(fleet.table.total, 'node')}</a>
        <a href={linkWithin(place, 'sites')}>{counted(sites.length, 'site')} with nodes</a>
        {withGpu === 0 ? null : (
          <a href={linkWithin(place, 'nodes', { q: 'label.gpu IS NOT NULL' })}>{withGpu} with GPUs</a>
        )}
        <a href={linkWithin(place, 'changes')}>last change {dayOf(registry.date)}</a>
      </p>
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
        <button type="submit">Find nodes</button>
      </form>
      {questions.length === 0 ? null : (
        <ul class="inline">
          {questions.map((question) => (
            <li key={question.text}>
              <a href={linkWithin(place, 'nodes', question.params)}>{question.text}</a>{' '}
              <span class="absent">{question.nodes}</span>
            </li>
          ))}
        </ul>
      )}
      <h2>Sites</h2>
      <ul class="tiles">
        {sites.map((site) => (
          <SiteTile key={site.site} state={state} site={site} />
        ))}
      </ul>
      {about.links.length === 0 ? null : (
        <ul class="inline">
          {about.links.map(({ title, href }) => (
            <li key={href}>
              <a href={href} rel="noreferrer">
                {visible(title)}
              </a>
            </li>
          ))}
        </ul>
      )}
      {more === 'missing' ? null : more ? <more.Recently state={state} /> : <Loading />}
    </article>
  );
}

const MOST_TYPES = 3;

function SiteTile({
  state: { place },
  site: { site, nodes, withGpu, types },
}: ViewProps & { readonly site: SiteSummary }) {
  return (
    <li>
      <a class="name" href={linkWithin(place, 'nodes', { site })}>
        {visible(site)}
      </a>{' '}
      <strong>{counted(nodes, 'node')}</strong>
      {withGpu === 0 ? '' : `, ${withGpu} with GPUs`}
      <ul class="rows">
        {types.slice(0, MOST_TYPES).map(({ type, nodes: count }) => (
          <li key={type}>
            <a href={linkWithin(place, 'nodes', { site, node_type: type })}>{visible(type)}</a>{' '}
            <span class="absent">{count}</span>
          </li>
        ))}
        {types.length > MOST_TYPES ? (
          <li class="absent">and {counted(types.length - MOST_TYPES, 'other type')}</li>
        ) : null}
      </ul>
    </li>
  );
}

/** Reads what the build wrote into the page: the description of the dataset, and links of the operator. */
function aboutRegistry() {
  const dataset = writtenDataset() ?? {};
  return {
    title: visible(text(dataset['name'])),
    description: visible(text(dataset['description'])),
    links: [...document.querySelectorAll<HTMLLinkElement>('link[rel=related]')].map(({ title, href }) => ({
      title,
      href,
    })),
  };
}
