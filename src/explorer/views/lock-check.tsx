import { useState } from 'preact/hooks';
import { resourceUrl } from '../../core/api/urls.ts';
import { sourceFields } from '../../core/api/written-fields.ts';
import type { Base } from '../../core/client/base-url.ts';
import { pinnedReader } from '../../core/client/pinned-reader.ts';
import { Failure } from '../../core/diagnostics/finding.ts';
import { LOCK_VERSION, type Lock, lockFrom } from '../../core/lock/lock-format.ts';
import { type ChangedField, type NodeVerdict, unclassifiedChange, verdictOn } from '../../core/lock/lock-verdict.ts';
import type { NodeSource } from '../../core/lock/node-source.ts';
import { publishedNodeHistory } from '../../core/lock/published-node-history.ts';
import { differingClasses } from '../../core/model/class-digests.ts';
import { classNames, classSet, type FieldClass, SAME_HARDWARE } from '../../core/model/field-classes.ts';
import { byCodeUnit, byNaturalOrder, isJsonObject, itemsIn, type Json, parsedObject } from '../../core/model/json.ts';
import { lastSegment } from '../../core/model/resource-path.ts';
import { nodeNameOf } from '../../core/model/uid.ts';
import { concurrencyLimit } from '../../core/platform/concurrency-limit.ts';
import { DOCUMENT_BYTES } from '../../core/platform/limits.ts';
import type { AppState, ViewProps } from '../app-state.ts';
import { latestOf } from '../data/nodes.ts';
import { type DocumentReader, ReadError } from '../data/reader.ts';
import type { ShownRegistry } from '../data/registry.ts';
import { changeWords, differenceLines } from '../fleet/value-words.ts';
import { firstLine, Tags } from '../parts/links.tsx';
import { Loading, Notice } from '../parts/notice.tsx';
import { Table } from '../parts/table.tsx';
import { capitalized, counted, dayOf, shortRevision, visible } from '../parts/value.tsx';
import { fragmentOf, linkWithin } from '../state/place.ts';

type Result =
  | { readonly kind: 'none' | 'reading' }
  | { readonly kind: 'wrong'; readonly problem: string }
  | { readonly kind: 'done'; readonly title: string; readonly rows: readonly VerdictRow[] };

export function LockCheck({ state }: ViewProps) {
  const [result, setResult] = useState<Result>({ kind: 'none' });
  const check = async (list: FileList | null | undefined) => {
    const files = [...(list ?? [])];
    if (files.length === 0) return;
    setResult({ kind: 'reading' });
    setResult(await resultOf(state, files));
  };
  return (
    <>
      <h1 tabIndex={-1}>Check a lock file</h1>
      <p>
        A lock file stores digests of your nodes. Choose one to check it against the latest revision, as{' '}
        <code>gridpress verify-lock</code> does. Choose two to compare them. The files stay in your browser.
        {state.reader.isLocal
          ? ' In a local folder, another spelling or device name counts as a change. Serve the folder, or run gridpress verify-lock.'
          : ''}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the input in it accepts the same files from the keyboard */}
      <div
        class="drop"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void check(event.dataTransfer?.files);
        }}
      >
        <label>
          Drop one or two lock files here, or choose them{' '}
          <input
            type="file"
            multiple
            accept=".lock,.json,application/json"
            onChange={(event) => void check(event.currentTarget.files)}
          />
        </label>
      </div>
      {result.kind === 'none' ? (
        <p class="absent">
          No lock file yet? Filter the <a href={linkWithin(state.place, 'nodes')}>nodes</a> and choose “Lock file” under
          “Export”, or run <code>gridpress lock NODE… -o experiment.lock</code>.
        </p>
      ) : null}
      {result.kind === 'reading' ? <Loading /> : null}
      {result.kind === 'wrong' ? <Notice kind="wrong" title={result.problem} /> : null}
      {result.kind === 'done' ? (
        <div role="status">
          <h2>{result.title}</h2>
          <LockVerdicts state={state} rows={result.rows} />
        </div>
      ) : null}
    </>
  );
}

async function resultOf(state: AppState, files: readonly File[]): Promise<Result> {
  try {
    const locks = await Promise.all(files.slice(0, 2).map(readLock));
    const [first, second] = locks;
    if (!first) return { kind: 'none' };
    return second ? comparisonOf(first, second) : await checkOf(state, first);
  } catch (error) {
    if (error instanceof ReadError) return { kind: 'wrong', problem: error.message };
    if (error instanceof Failure)
      return { kind: 'wrong', problem: 'The registry could not be read completely. Reload the page in a moment.' };
    throw error;
  }
}

async function checkOf({ reader, registry }: AppState, lock: Lock): Promise<Result> {
  if (!(await reader.hasPast()))
    throw new ReadError(
      'The check needs whole nodes. The offline copy does not include them, because they are too long. Serve the folder with gridpress serve, or run gridpress verify-lock.',
    );
  const { id, date } = lock.revision;
  const found = await verdicts(reader, registry, lock, SAME_HARDWARE);
  const failing = found.filter(({ fails }) => fails);
  const since = `since revision ${shortRevision(visible(id))}${date ? ` of ${dayOf(date)}` : ''}`;
  return {
    kind: 'done',
    title:
      failing.length === 0
        ? `The hardware, components and firmware of ${counted(found.length, 'node')} are unchanged ${since}.`
        : `${failing.length} of ${counted(found.length, 'node')} ${failing.length === 1 ? 'differs' : 'differ'} ${since}: ${differencesOf(failing)}.`,
    rows: found.map(({ node_name, revisions = [], fields = [], ...verdict }) => ({
      ...verdict,
      name: node_name ?? verdict.uid,
      revisions,
      fields: fields.map((field) => ({
        field: field.field,
        isSameNominalSize: field.is_spelling === true,
        change: changeText(field),
      })),
      note: sentenceOf(unclassifiedChange({ ...verdict, fields })),
    })),
  };
}

/** Counts the failing nodes for each reason. A node can fail for several reasons. */
function differencesOf(failing: readonly NodeVerdict[]): string {
  const removed = failing.filter(({ status }) => status === 'removed').length;
  const unknown = failing.filter((verdict) => unclassifiedChange(verdict) !== undefined).length;
  const changed = SAME_HARDWARE.map((name) => {
    const count = failing.filter(({ classes }) => classes.includes(name)).length;
    return count === 0 ? '' : `${count} in ${name === 'component' ? 'components' : name}`;
  });
  return [...changed, removed && `${removed} removed`, unknown && `${unknown} in unknown fields`]
    .filter((part) => part)
    .join(', ');
}

function sentenceOf(clause: string | undefined): string {
  return clause === undefined ? '' : `${capitalized(clause)}.`;
}

function changeText({ field, from, to, order }: ChangedField): string {
  if (order) return 'in another order';
  // An added or removed part needs no old or new values.
  if (field.endsWith(']')) return to === undefined ? 'removed' : 'added';
  return changeWords(from, to, field.replace(/\[[^\]]*\]/g, ''));
}

function comparisonOf(first: Lock, second: Lock): Result {
  const pairs = lockDifference(first, second);
  const differing = pairs.filter(({ status }) => status !== 'same').length;
  return {
    kind: 'done',
    title:
      differing === 0
        ? 'Both lock files contain the same nodes without changes.'
        : `${differing} of ${counted(pairs.length, 'node')} differ between the lock files.`,
    rows: pairs.map((pair) => ({ ...pair, fails: pair.status !== 'same', fields: [], revisions: [], note: '' })),
  };
}

interface VerdictRow {
  readonly path: string;
  readonly name: string;
  readonly status: string;
  readonly fails: boolean;
  readonly classes: readonly FieldClass[];
  /** The differing fields, named by labels such as `storage_devices[sdc].serial`. */
  readonly fields: readonly { readonly field: string; readonly isSameNominalSize: boolean; readonly change: string }[];
  /** Explains a difference that belongs to no field class. */
  readonly note: string;
  readonly revisions: readonly {
    readonly revision: string;
    readonly date: string;
    readonly author: string;
    readonly message: string;
  }[];
}

/** Shows one line for each group of nodes with equal verdicts, differences and revisions. */
function LockVerdicts({ state, rows }: ViewProps & { readonly rows: readonly VerdictRow[] }) {
  const named = Map.groupBy(rows, ({ name }) => name);
  const keyOf = ({ status, fails, classes, fields, revisions, note }: VerdictRow) => {
    // Nodes with the same differences can list their parts in different orders.
    const names = fields.map(({ field, isSameNominalSize }) => `${field} ${isSameNominalSize}`).sort(byCodeUnit);
    return JSON.stringify([status, fails, classes, names, revisions.map(({ revision }) => revision), note]);
  };
  const groups = [...Map.groupBy(rows, keyOf)].sort(
    ([, [a, ...others]], [, [b, ...theirs]]) => Number(b?.fails) - Number(a?.fails) || theirs.length - others.length,
  );
  return (
    <Table kind="verdicts cards" label="Table of locked nodes" heads={['Nodes', 'Verdict', 'Differences', 'Revisions']}>
      {groups.map(([key, members]) => {
        const [{ status, fails, classes, fields, revisions, note } = NO_VERDICT] = members;
        return (
          <tr key={key}>
            <th scope="row" data-title="Nodes">
              <GroupedNodes
                // A path replaces a name that several nodes have.
                members={members.map((row) => (named.get(row.name)?.length === 1 ? row : { ...row, name: row.path }))}
                isOpen={fails && members.length <= MOST_OPEN}
              />
            </th>
            <td data-title="Verdict">
              <span class={fails ? 'failing' : status === 'same' ? 'passing' : undefined}>{status}</span>
            </td>
            <td data-title="Differences">
              <Tags names={classes} />
              {note === '' ? null : ` ${note}`}
              <ChangedFields members={members} />
              <Spellings fields={fields.filter(({ isSameNominalSize }) => isSameNominalSize)} />
            </td>
            <td data-title="Revisions">
              {revisions.map(({ revision, date, author, message }) => (
                <div key={revision}>
                  <time dateTime={date}>{dayOf(date)}</time> {visible(author)}:{' '}
                  <a href={linkWithin(state.place, `versions/${revision}`)}>
                    {firstLine(message) || shortRevision(revision)}
                  </a>
                </div>
              ))}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

const NO_VERDICT = { status: '', fails: false, classes: [], fields: [], revisions: [], note: '' } as const;

/** The maximum number of lines that are visible at first. */
const MOST_LINES = 6;

/** Lists the changed fields. Shows old and new values only if the values are equal in all nodes of the group. */
function ChangedFields({ members }: { readonly members: readonly VerdictRow[] }) {
  const [first = NO_VERDICT] = members;
  const changes = members.map(({ fields }) => new Map(fields.map(({ field, change }) => [field, change])));
  const shared = first.fields.map(({ field, isSameNominalSize, change }) => ({
    field,
    isSameNominalSize,
    change: changes.every((each) => each.get(field) === change) ? change : 'different values',
  }));
  const lines = differenceLines(shared.filter(({ isSameNominalSize }) => !isSameNominalSize));
  if (lines.length === 0) return null;
  const list = (
    <ul class="rows">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
  if (lines.length <= MOST_LINES) return list;
  return (
    <details class="class">
      <summary>{counted(lines.length, 'difference')}</summary>
      {list}
    </details>
  );
}

function Spellings({ fields }: Pick<VerdictRow, 'fields'>) {
  if (fields.length === 0) return null;
  const lines = differenceLines(fields.map(({ field }) => ({ field, change: '' })));
  return <p class="absent">Other spelling, same hardware: {lines.join(', ')}</p>;
}

/** The maximum number of nodes whose names are visible at first. */
const MOST_OPEN = 12;

function GroupedNodes({ members, isOpen }: { readonly members: readonly VerdictRow[]; readonly isOpen: boolean }) {
  const links = (
    <ul class="inline">
      {members
        .toSorted((a, b) => byNaturalOrder(a.name, b.name))
        .map(({ path, name }) => (
          <li key={path}>
            <a href={fragmentOf(path)}>{visible(name)}</a>
          </li>
        ))}
    </ul>
  );
  if (members.length === 1) return links;
  return (
    <details class="class" open={isOpen}>
      <summary>{counted(members.length, 'node')}</summary>
      {links}
    </details>
  );
}

/** Reads a lock file in the browser, without uploading the file. */
export async function readLock(file: File): Promise<Lock> {
  const value = file.size > DOCUMENT_BYTES ? undefined : parsedObject(await file.text());
  const version = value?.['gridpress_lock'];
  if (!value || typeof version !== 'number' || !itemsIn(value['nodes']).every(isLocked))
    throw new ReadError(`${file.name} is not a lock file. “Export” and gridpress lock write lock files.`);
  if (version > LOCK_VERSION)
    throw new ReadError(`A newer release wrote ${file.name}. Check it with gridpress verify-lock of that release.`);
  if (itemsIn(value['nodes']).length === 0)
    throw new ReadError(`${file.name} contains no nodes. A lock file has at least one node.`);
  return lockFrom(value);
}

function isLocked(node: Json): boolean {
  if (!isJsonObject(node)) return false;
  const { path, uid, digest, classes } = node;
  return [path, uid, digest].every((each) => typeof each === 'string') && isJsonObject(classes);
}

export async function verdicts(
  reader: DocumentReader,
  { newest }: ShownRegistry,
  lock: Lock,
  classes: readonly FieldClass[],
): Promise<NodeVerdict[]> {
  const source = nodeSource(reader, newest);
  return Promise.all(lock.nodes.map((node) => verdictOn(node, { lock, source, classes: classSet(classes) })));
}

/** Chromium rejects requests if more than about 1,300 others are unanswered. */
const MAX_CONCURRENT = 100;

function nodeSource(reader: DocumentReader, newest: string): Pick<NodeSource, 'node' | 'history'> {
  const inTurn = concurrencyLimit(MAX_CONCURRENT);
  const get = async (path: string) => {
    const body = await inTurn(() => reader.read(path));
    return body && { url: reader.urlOf(path), path, body, size: 0 };
  };
  const pinned = pinnedReader({ get, format: reader.urlOf }, newest, resourceUrl(''));
  const base: Base = { isSnapshot: false, resolve: reader.pathOf, pathOnServer: (url) => url };
  return {
    node: async (path) => {
      const read = await pinned.findPinned(resourceUrl(path));
      const body = read && sourceFields(read.body);
      return body && { path, uid: lastSegment(path), name: nodeNameOf(body), body, latest: latestOf(read.body) };
    },
    history: (query) => publishedNodeHistory(pinned, base, query),
  };
}

interface LockedPair {
  readonly path: string;
  readonly name: string;
  readonly status: 'same' | 'different' | 'only in the first' | 'only in the second';
  readonly classes: readonly FieldClass[];
}

export function lockDifference(first: Lock, second: Lock): LockedPair[] {
  const others = new Map(second.nodes.map((node) => [node.path, node]));
  const isComparable = first.class_rules === second.class_rules;
  const pairs = first.nodes.map((node): LockedPair => {
    const { path, uid, node_name: name = uid } = node;
    const other = others.get(path);
    others.delete(path);
    if (!other) return { path, name, status: 'only in the first', classes: [] };
    if (other.digest === node.digest) return { path, name, status: 'same', classes: [] };
    const classes = isComparable ? classNames(differingClasses(node.classes, other.classes)) : [];
    return { path, name, status: 'different', classes };
  });
  const added = [...others.values()].map(({ path, uid, node_name: name = uid }): LockedPair => {
    return { path, name, status: 'only in the second', classes: [] };
  });
  return [...pairs, ...added];
}
