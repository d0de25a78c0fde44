/** Commands and programs that reserve or read nodes, and how to cite them: to be copied. */
import { useState } from 'preact/hooks';
import { badgeUrl } from '../../core/api/badges/badge-paths.ts';
import { Failure } from '../../core/diagnostics/failure.ts';
import { SNIPPET_NAMES } from '../../core/exports/snippet-context.ts';
import type { AppState } from '../app-state.ts';
import { baseUrl, citation, snippetText } from '../data/exports.ts';
import { ReadError } from '../data/reader.ts';
import { fragmentOf } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { ScrollRegion } from './table.tsx';

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
