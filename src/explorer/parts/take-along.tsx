/** What can be taken along of a selection: files, commands, links. */

import { useState } from 'preact/hooks';
import { badgeUrl } from '../../core/api/deep-and-badge-paths.ts';
import { Failure } from '../../core/diagnostics/failure.ts';
import { SNIPPET_NAMES } from '../../core/exports/snippet-context.ts';
import type { AppState } from '../app-state.ts';
import {
  baseUrl,
  citation,
  csvText,
  lockOfRows,
  ndjsonText,
  permalink,
  snippetText,
  uidsText,
} from '../data/exports.ts';
import { ReadError } from '../data/reader.ts';
import { fragmentOf } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { ScrollRegion } from './table.tsx';

interface TakeAlongProps {
  readonly state: AppState;
  readonly rows: readonly number[];
  readonly columns: readonly string[];
}

interface Export {
  readonly label: string;
  readonly file: string;
  readonly type: string;
  readonly make: () => string | Promise<string>;
}

export function TakeAlong({ state, rows, columns }: TakeAlongProps) {
  const [problem, setProblem] = useState('');
  const start = state.registry.version.slice(0, 8);
  const exports: readonly Export[] = [
    { label: 'CSV', file: `nodes-${start}.csv`, type: 'text/csv', make: () => csvText(state, rows, columns) },
    {
      label: 'NDJSON',
      file: `nodes-${start}.ndjson`,
      type: 'application/x-ndjson',
      make: () => ndjsonText(state, rows),
    },
    { label: 'Uids', file: `uids-${start}.txt`, type: 'text/plain', make: () => uidsText(state, rows) },
    { label: 'Lock file', file: 'gridpress.lock', type: 'application/json', make: () => lockOfRows(state, rows) },
  ];
  const take = async ({ file, type, make }: Export) => {
    try {
      save(file, type, await make());
      setProblem('');
      state.announce(`${file} was saved.`);
    } catch (error) {
      if (!(error instanceof ReadError || error instanceof Failure)) throw error;
      setProblem(error.message);
    }
  };
  return (
    <>
      <p class="absent">Of {rows.length} nodes, as files:</p>
      <p class="buttons">
        {exports.map((each) => (
          <button type="button" key={each.label} disabled={rows.length === 0} onClick={() => void take(each)}>
            {each.label}
          </button>
        ))}
      </p>
      {problem === '' ? null : <p role="alert">{problem}</p>}
      <UseAndCite state={state} rows={rows} />
      <p>
        <a href={permalink(state)}>Permalink</a> <span class="absent">of this view at this revision</span>
      </p>
    </>
  );
}

/** Downloads are navigations, which the page's policy says nothing of. */
function save(file: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Commands and programs that reserve or read nodes, and how to cite them: to be copied. */
const CHOICES = [...SNIPPET_NAMES, 'gridpress', 'citation', 'bibtex', 'badge'] as const;
type Choice = (typeof CHOICES)[number];

/** A snippet for more nodes than these is a list that nobody reads. */
const MOST_NODES = 200;

export function UseAndCite({ state, rows }: { state: AppState; rows: readonly number[] }) {
  const [choice, setChoice] = useState<Choice>('python-chi');
  const some = rows.slice(0, MOST_NODES);
  const loaded = useLoaded(`${choice} ${some.join()}`, () => textOf(state, choice, some));
  const badge = rows.length === 1 ? badgeOf(state, rows[0] ?? 0) : undefined;
  const shown = loaded.kind === 'done' ? loaded.value : loaded.kind === 'failed' ? loaded.problem : '…';
  return (
    <div class="use">
      <fieldset class="tabs">
        <legend class="hidden">For</legend>
        {CHOICES.filter((name) => name !== 'badge' || badge).map((name) => (
          <button type="button" key={name} aria-pressed={name === choice} onClick={() => setChoice(name)}>
            {name}
          </button>
        ))}
      </fieldset>
      {choice === 'badge' && badge ? (
        <p>
          <img src={badge.url} alt="The badge of this node" height="20" />
        </p>
      ) : null}
      <ScrollRegion label={choice}>
        <pre>{shown}</pre>
      </ScrollRegion>
      <CopyButton content={shown} announce={state.announce} />
      {rows.length > MOST_NODES ? <p class="absent">Of the first {MOST_NODES} nodes.</p> : null}
    </div>
  );
}

async function textOf(state: AppState, choice: Choice, rows: readonly number[]): Promise<string> {
  if (choice === 'badge') return badgeOf(state, rows[0] ?? 0)?.markdown ?? '';
  if (choice === 'citation') return citation(state).text;
  if (choice === 'bibtex') return citation(state).bibtex;
  if (choice === 'gridpress') return lockCommand(state, rows);
  try {
    return await snippetText(state, choice, rows);
  } catch (error) {
    if (error instanceof Failure) throw new ReadError('The name of a node or of its site cannot stand in a command.');
    throw error;
  }
}

/** Of a node as it is now, where the tree has badges. A folder's address is of no use in anybody's page. */
function badgeOf({ reader, registry, fleet }: AppState, row: number) {
  const isThere = document.querySelector('meta[name=gridpress-badges]') !== null;
  if (!isThere || reader.isLocal || registry.version !== registry.newest) return undefined;
  const path = fleet.pathOf(row);
  const url = reader.urlOf(badgeUrl(path)).replace(/\.json$/, '');
  const page = `${location.href.split('#')[0]}${fragmentOf(path)}`;
  return { url, markdown: `[![Hardware unchanged since](${url})](${page})\n` };
}

function lockCommand(state: AppState, rows: readonly number[]): string {
  const uids = rows.map((row) => state.fleet.table.uids[row]).join(' ');
  const from = state.reader.isLocal ? 'FOLDER' : baseUrl(state);
  return `gridpress lock --from ${from} -o gridpress.lock ${uids}\ngridpress verify-lock gridpress.lock\n`;
}

function CopyButton({ content, announce }: { content: string; announce: (text: string) => void }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(content);
    setIsCopied(true);
    announce('Copied.');
    setTimeout(() => setIsCopied(false), 2000);
  };
  // From a folder, and over plain http, some browsers let no page write there.
  if (!('clipboard' in navigator)) return null;
  return (
    <button type="button" onClick={() => void copy()}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  );
}
