/** My experiment: one lock file, and whether its nodes are still the same; or two, and what differs between the runs. */

import { useState } from 'preact/hooks';
import { Failure } from '../../core/diagnostics/failure.ts';
import type { Lock } from '../../core/lock/lock-format.ts';
import { type FieldClass, SAME_HARDWARE } from '../../core/model/field-classes.ts';
import type { AppState } from '../app-state.ts';
import { lockDifference, readLock, verdicts } from '../data/locks.ts';
import { ReadError } from '../data/reader.ts';
import { Notice } from '../parts/notice.tsx';
import { RevisionLink, Tags } from '../parts/revision.tsx';
import { Table } from '../parts/table.tsx';
import { counted, dayOf, shortRevision, visible } from '../parts/value.tsx';
import { fragmentOf, linkWithin } from '../state/place.ts';

type Answer =
  | { readonly kind: 'none' | 'reading' }
  | { readonly kind: 'wrong'; readonly problem: string }
  | { readonly kind: 'told'; readonly title: string; readonly rows: readonly VerdictRow[] };

export function Experiment({ state }: { state: AppState }) {
  const [answer, setAnswer] = useState<Answer>({ kind: 'none' });
  const take = async (files: readonly File[]) => {
    if (files.length === 0) return;
    setAnswer({ kind: 'reading' });
    setAnswer(await answerTo(state, files));
  };
  return (
    <>
      <h1 tabIndex={-1}>My experiment</h1>
      <p>
        A lock file says what your nodes were when you ran. One is compared with the registry as it is now, as{' '}
        <code>gridpress verify-lock</code> does; two are compared with each other. They are read here, and sent nowhere.
        {state.reader.isLocal
          ? ' From a folder, the page cannot show when a node changed: serve the folder, or run gridpress verify-lock.'
          : ''}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field in it takes the same files by the keyboard */}
      <div
        class="drop"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void take([...(event.dataTransfer?.files ?? [])]);
        }}
      >
        <label>
          Drop one or two lock files here, or choose them{' '}
          <input
            type="file"
            multiple
            accept=".lock,.json,application/json"
            onChange={(event) => void take([...(event.currentTarget.files ?? [])])}
          />
        </label>
      </div>
      {answer.kind === 'none' ? (
        <p class="absent">
          No lock yet? Filter the <a href={linkWithin(state.place, 'nodes')}>nodes</a> that you use, and choose “Lock
          file” under “Take along”; or run <code>gridpress lock NODE… -o experiment.lock</code>.
        </p>
      ) : null}
      {answer.kind === 'reading' ? <p class="loading">Reading…</p> : null}
      {answer.kind === 'wrong' ? <Notice kind="wrong" title={answer.problem} /> : null}
      {answer.kind === 'told' ? (
        <div role="status">
          <h2>{answer.title}</h2>
          <LockVerdicts state={state} rows={answer.rows} />
        </div>
      ) : null}
    </>
  );
}

async function answerTo(state: AppState, files: readonly File[]): Promise<Answer> {
  try {
    const locks = await Promise.all(files.slice(0, 2).map(readLock));
    const [first, second] = locks;
    if (!first) return { kind: 'none' };
    return second ? betweenRuns(first, second) : await sinceThen(state, first);
  } catch (error) {
    if (error instanceof ReadError) return { kind: 'wrong', problem: error.message };
    if (error instanceof Failure)
      return { kind: 'wrong', problem: 'The registry could not be read as a whole. Load the page again in a moment.' };
    throw error;
  }
}

async function sinceThen({ reader, registry }: AppState, lock: Lock): Promise<Answer> {
  if (!(await reader.hasPast()))
    throw new ReadError(
      'Whole nodes do not lie beside the page, since they would be too long: serve the folder, or run gridpress verify-lock.',
    );
  const found = await verdicts(reader, registry, lock, SAME_HARDWARE);
  const failing = found.filter(({ fails }) => fails).length;
  const since = `since revision ${shortRevision(visible(lock.revision.id))}${lock.revision.date ? ` of ${dayOf(lock.revision.date)}` : ''}`;
  return {
    kind: 'told',
    title:
      failing === 0
        ? `Still the same hardware: ${counted(found.length, 'node')}, ${since}.`
        : `${failing} of ${counted(found.length, 'node')} changed ${since}.`,
    rows: found.map(({ path, uid, node_name: name = uid, status, fails, classes, fields, revisions }) => ({
      path,
      name,
      status,
      fails,
      classes,
      steps: revisions ?? [],
      fields: (fields ?? []).map(({ field }) => field),
    })),
  };
}

function betweenRuns(first: Lock, second: Lock): Answer {
  const pairs = lockDifference(first, second);
  const differing = pairs.filter(({ status }) => status !== 'same').length;
  return {
    kind: 'told',
    title:
      differing === 0
        ? 'Both runs were on the same nodes, unchanged.'
        : `${differing} of ${counted(pairs.length, 'node')} differ between the runs.`,
    rows: pairs.map((pair) => ({ ...pair, fails: pair.status !== 'same', fields: [], steps: [] })),
  };
}

/** What became of locked nodes, those that changed first. */
export interface VerdictRow {
  readonly path: string;
  readonly name: string;
  readonly status: string;
  readonly fails: boolean;
  readonly classes: readonly FieldClass[];
  /** With their labels: `storage_devices[sdc].serial`. */
  readonly fields: readonly string[];
  readonly steps: readonly {
    readonly revision: string;
    readonly date: string;
    readonly author: string;
    readonly message: string;
  }[];
}

export function LockVerdicts({ state, rows }: { state: AppState; rows: readonly VerdictRow[] }) {
  const sorted = rows.toSorted((a, b) => Number(b.fails) - Number(a.fails));
  return (
    <Table kind="cards" label="Table of locked nodes" heads={['Node', 'Verdict', 'What differs', 'When, and by whom']}>
      {sorted.map(({ path, name, status, classes, fields, steps, fails }) => (
        <tr key={path}>
          <th scope="row" data-title="Node">
            <a href={fragmentOf(path)}>{visible(name)}</a>
          </th>
          <td data-title="Verdict" class={fails ? 'failing' : undefined}>
            {status}
          </td>
          <td data-title="What differs">
            <Tags names={classes} /> {fields.map(visible).join(', ')}
          </td>
          <td data-title="When, and by whom">
            {steps.map(({ revision, date, author, message }) => (
              <div key={revision}>
                {dayOf(date)} {visible(author)}: {visible(message.split('\n')[0] ?? '')}{' '}
                <RevisionLink reader={state.reader} id={revision} />
              </div>
            ))}
          </td>
        </tr>
      ))}
    </Table>
  );
}
