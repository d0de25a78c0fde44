import { useMemo, useState } from 'preact/hooks';
import {
  type ReasonedReservation,
  type ReservableNode,
  reservableNodes,
  reservationsOf,
  spreadFindings,
} from '../../core/exports/reservations.ts';
import { type SnippetName, SPREADS, type Spread } from '../../core/exports/snippet-context.ts';
import type { AppState } from '../app-state.ts';
import { ReadError } from '../data/reader.ts';
import { profilesOf } from '../fleet/profiles.ts';
import { messageOf, renderedFinding } from '../fleet/search.ts';
import { fragmentOf, withParams } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { Checkbox } from './checkbox.tsx';
import { badgeOf, citation, findCommand, lockCommand, snippetText } from './code-and-citations.ts';
import { SearchNotes } from './search-notes.tsx';
import { Select } from './select.tsx';
import { ScrollRegion } from './table.tsx';
import { counted, visible } from './value.tsx';

type Choice = SnippetName | 'find' | 'lock' | 'citation' | 'bibtex' | 'badge';

const PURPOSES: Readonly<Record<Choice, string>> = {
  'python-chi': 'Reserve',
  openstack: 'Reserve',
  oar: 'Reserve',
  execo: 'Reserve',
  enoslib: 'Reserve',
  slurm: 'Reserve',
  ssh: 'Connect',
  ansible: 'Connect',
  terraform: 'Connect',
  curl: 'Analyse',
  pandas: 'Analyse',
  duckdb: 'Analyse',
  r: 'Analyse',
  find: 'Analyse',
  lock: 'Cite',
  citation: 'Cite',
  bibtex: 'Cite',
  badge: 'Cite',
};
const CHOICES = Map.groupBy(Object.keys(PURPOSES).filter(isChoice), (name) => PURPOSES[name]);

function isChoice(name: string): name is Choice {
  return Object.hasOwn(PURPOSES, name);
}

/** The maximum number of uids in a command. Shells limit the length of a command. */
const MOST_NODES_IN_CODE = 2_000;

interface UseProps {
  readonly state: AppState;
  readonly rows: readonly number[];
  /** The columns of the table of nodes. Undefined on the page of a node. */
  readonly columns?: readonly string[];
}

export function UseAndCite({ state, rows, columns = [] }: UseProps) {
  const { registry, place } = state;
  const [choice, setChoice] = useState<Choice>('python-chi');
  const [request, setRequest] = useState<PageRequest>({ count: MOST_NODES_IN_CODE, spread: '', isSameHardware: false });
  const chosen = useMemo(() => chosenNodes(state, rows, request), [state.fleet, rows.join(), request]);
  const key = `${choice} ${chosen.rows.join()} ${rows.length} ${registry.version} ${chosen.problem} ${place.params} ${columns.join()}`;
  const loaded = useLoaded(key, () => textOf(state, choice, chosen, rows.length, columns));
  const badge = rows.length === 1 ? badgeOf(state, rows[0] ?? 0) : undefined;
  const shown = loaded.kind === 'done' ? loaded.value : '…';
  const needsNodes = choice !== 'citation' && choice !== 'bibtex';
  const problem = loaded.kind === 'failed' ? loaded.problem : needsNodes ? chosen.problem : '';
  return (
    <div class="use">
      {rows.length > 1 ? <Request rows={rows} request={request} change={setRequest} /> : null}
      {[...CHOICES].map(([purpose, choices]) => (
        <fieldset key={purpose} class="classes tabs">
          <legend>{purpose}</legend>
          {choices
            .filter((name) => name !== 'badge' || badge)
            .map((name) => (
              <button type="button" key={name} aria-pressed={name === choice} onClick={() => setChoice(name)}>
                {name}
              </button>
            ))}
        </fieldset>
      ))}
      {choice === 'badge' && badge ? (
        <p>
          <img src={badge.url} alt="The badge of this node" height="20" />
        </p>
      ) : null}
      <SearchNotes notes={chosen.warnings} />
      {problem !== '' ? (
        <p class="notice" role="status">
          {problem}{' '}
          {loaded.kind !== 'failed' || registry.version === registry.newest ? null : (
            <a href={fragmentOf(place.path, withParams(place.params, { at: undefined }))}>Show latest</a>
          )}
        </p>
      ) : (
        <div class="code">
          <ScrollRegion label={choice}>
            <pre>{shown}</pre>
          </ScrollRegion>
          <CopyButton content={shown} announce={state.announce} />
        </div>
      )}
      {loaded.kind === 'done' && (choice === 'python-chi' || choice === 'openstack') ? (
        <Reasons reservations={chosen.reservations} />
      ) : null}
    </div>
  );
}

interface PageRequest {
  readonly count: number;
  readonly spread: Spread | '';
  readonly isSameHardware: boolean;
}

interface RequestProps {
  readonly rows: readonly number[];
  readonly request: PageRequest;
  readonly change: (request: PageRequest) => void;
}

/** Lets the user choose some of the found nodes, like the option `--reserve` of `gridpress find`. */
function Request({ rows, request, change }: RequestProps) {
  const most = Math.min(rows.length, MOST_NODES_IN_CODE);
  return (
    <p class="choosers">
      <label>
        Use{' '}
        <input
          type="number"
          min={1}
          max={most}
          value={Math.min(request.count, most)}
          onInput={({ currentTarget: { valueAsNumber } }) => {
            if (valueAsNumber >= 1) change({ ...request, count: Math.floor(valueAsNumber) });
          }}
        />{' '}
        of {counted(rows.length, 'node')}
        {rows.length > MOST_NODES_IN_CODE ? `, at most ${MOST_NODES_IN_CODE}` : ''}
      </label>
      <Select
        label="taken"
        value={request.spread}
        options={[['', 'in order'], ...SPREADS.map((spread) => [spread, `in turn from each ${spread}`] as const)]}
        choose={(spread) => change({ ...request, spread: SPREADS.find((name) => name === spread) ?? '' })}
      />
      <Checkbox checked={request.isSameHardware} change={(isSameHardware) => change({ ...request, isSameHardware })}>
        Same hardware
      </Checkbox>
    </p>
  );
}

interface ChosenNodes {
  readonly rows: readonly number[];
  readonly reservations: readonly ReasonedReservation[];
  /** Explains why too few nodes match the request. Empty if enough nodes match. */
  readonly problem: string;
  readonly warnings: readonly string[];
}

function chosenNodes({ fleet }: AppState, rows: readonly number[], request: PageRequest): ChosenNodes {
  if (rows.length === 0) return { rows, reservations: [], problem: 'No matching nodes.', warnings: [] };
  const nodes = reservableNodes(fleet.query);
  const rowOf = new Map(nodes.map((node, row) => [node, row]));
  const hardwareOf = (node: ReservableNode) => String(profilesOf(fleet.table).profileByRow[rowOf.get(node) ?? 0]);
  try {
    const reservations = reservationsOf(
      nodes,
      rows.flatMap((row) => nodes[row] ?? []),
      {
        count: Math.min(request.count, rows.length, MOST_NODES_IN_CODE),
        spread: request.spread === '' ? undefined : request.spread,
        hardwareOf: request.isSameHardware ? hardwareOf : undefined,
      },
    );
    const chosen = reservations.flatMap(({ nodes }) => nodes);
    const findings = spreadFindings(chosen, request.spread || undefined, request.isSameHardware);
    const warnings = findings.map((found) => {
      const { problem, hint } = renderedFinding(found) ?? { problem: '', hint: '' };
      return `${problem} ${hint}`;
    });
    return { rows: chosen.map((node) => rowOf.get(node) ?? 0), reservations, problem: '', warnings };
  } catch (error) {
    return { rows: [], reservations: [], problem: messageText(error), warnings: [] };
  }
}

function Reasons({ reservations }: Pick<ChosenNodes, 'reservations'>) {
  const reasons = new Set(reservations.map(({ property, reason }) => `Reserved by ${property}: ${reason}.`));
  return (
    <ul class="absent">
      {[...reasons].map((reason) => (
        <li key={reason}>{visible(reason)}</li>
      ))}
    </ul>
  );
}

async function textOf(
  state: AppState,
  choice: Choice,
  chosen: ChosenNodes,
  found: number,
  columns: readonly string[],
): Promise<string> {
  const { rows, reservations, problem } = chosen;
  if (choice === 'citation') return citation(state).text;
  if (choice === 'bibtex') return citation(state).bibtex;
  if (problem !== '') return '';
  if (choice === 'badge') return badgeOf(state, rows[0] ?? 0)?.markdown ?? '';
  const isTruncated = rows.length === MOST_NODES_IN_CODE && rows.length < found;
  const note = isTruncated
    ? `${choice === 'duckdb' ? '--' : '#'} The first ${MOST_NODES_IN_CODE} of ${found} nodes.\n`
    : '';
  if (choice === 'lock') return note + (await lockCommand(state, rows));
  if (choice === 'find') return await findCommand(state, rows, columns);
  try {
    return note + (await snippetText(state, choice, reservations));
  } catch (error) {
    throw error instanceof ReadError ? error : new ReadError(messageText(error));
  }
}

function messageText(error: unknown): string {
  const { problem, hint } = messageOf(error);
  return `${problem} ${hint}`;
}

function CopyButton({ content, announce }: { content: string; announce: (text: string) => void }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(content);
    setIsCopied(true);
    announce('Copied.');
    setTimeout(() => setIsCopied(false), 2000);
  };
  // Some browsers offer no clipboard to a page from a folder or over plain HTTP.
  if (!('clipboard' in navigator)) return null;
  return (
    <button type="button" onClick={() => void copy()}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  );
}
