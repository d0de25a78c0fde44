/** Describes the nodes of a lock file for a paper's section "experimental setup". */

import { basename } from 'node:path';
import { bibtexText, permalink, type Reference } from '../../core/api/citation.ts';
import { failAll, finding } from '../../core/diagnostics/finding.ts';
import { formatCount, plural } from '../../core/diagnostics/words.ts';
import { groupsTable, hardwareColumns, shownText, titledColumn } from '../../core/exports/hardware-table.ts';
import { LATEX_PACKAGES, latexLabel } from '../../core/exports/latex-table.ts';
import { captionOf, dayText } from '../../core/exports/nodes-document.ts';
import { groupsOf } from '../../core/exports/reservations.ts';
import { tableLines } from '../../core/exports/table-lines.ts';
import { latexText, latexUrl, markdownText, type SetupForm, type TextTable } from '../../core/exports/text-table.ts';
import type { Lock, LockedNode, Origin } from '../../core/lock/lock-format.ts';
import { byNaturalOrder } from '../../core/model/json.ts';
import { nodePlace } from '../../core/model/node-path.ts';
import { findField, type NamedField, type QueryFleet } from '../../core/query/columns.ts';
import { type LockFileOptions, originOfLock, readLock } from '../lock/verify-lock.ts';
import { alignedLines } from './describe-found.ts';
import { find } from './find.ts';
import { rowPaths } from './row-paths.ts';

export interface SetupOptions extends LockFileOptions {
  readonly form: SetupForm;
}

/** Describes or cites the revision of a lock file. Fails if a locked node does not exist at this revision. */
export async function describeSetup(options: SetupOptions): Promise<string> {
  const { file, form } = options;
  const given = readLock(file);
  const origin = originOfLock(given, options);
  // A citation describes no nodes, so a tree needs no snapshot of the revision.
  const isCitation = form === 'bibtex' && origin.kind !== 'registry';
  const at = isCitation ? undefined : given.revision.id;
  return await find({ ...options, from: origin.place, at }, [], async (_, source) => {
    const { fleet, reference: readReference } = (await source.publicFleet?.()) ?? source;
    const reference = await readReference();
    // A user can alter the date and the names in a lock file, so the registry's values replace them.
    const lock = source.revision?.id === given.revision.id ? { ...given, revision: source.revision } : given;
    const url = addressOf(origin, lock, reference);
    if (form === 'bibtex') return `${bibtexText(reference, lock.revision, url)}\n`;
    const { title } = reference;
    const rows = rowsOf(lock, fleet, file);
    const siteNames = await source.siteNames();
    const nameOf = (site: string) => shownText(siteNames.get(site) ?? site);
    const names = findField('node_name', fleet);
    const nodes = lock.nodes.map((node, i) => ({ ...node, node_name: nameAt(names, rows[i]) ?? node.node_name }));
    const sites = groupsOf(nodes, ({ path }) => nodePlace(path).site);
    const site = titledColumn(findField('site', fleet));
    const columns = [
      ...(sites.length > 1 ? [{ ...site, textOf: (row: number) => nameOf(site.textOf(row)) }] : []),
      titledColumn(findField('node_type', fleet)),
      ...hardwareColumns(fleet, rows),
    ];
    const table = groupsTable({ rows, keys: columns });
    const name = shownText(basename(file));
    return writeSetup(form, { lock, name, places: placesText(sites, nameOf), title: shownText(title), url, table });
  });
}

function rowsOf(lock: Lock, fleet: QueryFleet, file: string): number[] {
  const pathOf = rowPaths(fleet);
  const rows = new Map(Array.from({ length: fleet.total }, (_, row) => [pathOf(row), row]));
  const missing = lock.nodes.filter(({ path }) => !rows.has(path));
  if (missing.length > 0)
    failAll(missing.map(({ path }) => finding('setup-node', { path, revision: lock.revision.id }, { file })));
  return lock.nodes.flatMap(({ path }) => rows.get(path) ?? []);
}

function nameAt({ valuesOf }: NamedField, row: number | undefined): string | undefined {
  const [name] = row === undefined ? [] : valuesOf(row);
  return typeof name === 'string' ? name : undefined;
}

/** The maximum number of nodes that a paragraph lists by name. */
const MOST_NAMES = 12;

/** Returns a text such as `2 at Aquila (aquila-c01 and aquila-c02) and 1 at Lyra (lyra-g01)`. */
function placesText(sites: readonly (readonly LockedNode[])[], nameOf: (site: string) => string): string {
  const hasNames = sites.flat().length <= MOST_NAMES;
  const parts = sites.map((nodes) => {
    const count = sites.length === 1 ? '' : `${formatCount(nodes.length)} `;
    const names = nodes.map(({ node_name: name, uid }) => shownText(name ?? uid)).sort(byNaturalOrder);
    return `${count}at ${nameOf(nodePlace(nodes[0]?.path ?? '').site)}${hasNames ? ` (${joined(names)})` : ''}`;
  });
  return joined(parts);
}

function joined(parts: readonly string[]): string {
  const [last = ''] = parts.slice(-1);
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}

/** A tree in a folder has a URL only if `base_url` is configured. */
function addressOf({ kind, place }: Origin, { revision }: Lock, reference: Reference): string | undefined {
  const base = kind === 'url' ? place.replace(SNAPSHOT_BASE, '') : reference.baseUrl;
  return base === undefined ? undefined : permalink(base, revision.id, reference);
}

/** A snapshot contains neither the page nor the histories. */
const SNAPSHOT_BASE = /\/snapshots\/[0-9a-f]{40}\/?$/;

interface Setup {
  readonly lock: Lock;
  readonly name: string;
  /** The sites of the nodes. */
  readonly places: string;
  readonly title: string;
  readonly url: string | undefined;
  readonly table: TextTable;
}

function writeSetup(form: Exclude<SetupForm, 'bibtex'>, { lock, name, places, title, url, table }: Setup): string {
  const { id, date } = lock.revision;
  const nodes = plural(lock.nodes.length, 'node');
  const isOne = lock.nodes.length === 1;
  const { escaped, revision, quoted, link } = STYLES[form];
  const reference = form === 'latex' ? `Table~\\ref{${latexLabel(table)}}` : 'The table';
  // A lock file does not state whether a job used the nodes.
  const setup = escaped(`The setup consists of ${nodes}${places.startsWith('at ') ? ' ' : ': '}${places}.`);
  const lists = `lists ${isOne ? 'its' : 'their'} hardware at revision ${revision(id)}${dayText(date)} of`;
  const registry = /\bregistry\b/i.test(title) ? '' : 'the registry ';
  const source = `${registry}${quoted(escaped(title))}${url === undefined ? '' : ` (${link(url)})`}`;
  const names = lock.nodes.length > MOST_NAMES ? escaped(` The lock file ${name} lists the nodes.`) : '';
  const paragraph = `${setup} ${reference} ${lists} ${source}.${names}`;
  if (form === 'text')
    return joinLines([paragraph, '', ...alignedLines([table.head.map(({ text }) => text), ...table.rows])]);
  if (form === 'markdown') return joinLines([paragraph, '', ...tableLines(form, { ...table, caption: '' })]);
  return joinLines([
    `% Needs \\usepackage{${LATEX_PACKAGES},url}.`,
    // LaTeX finds few line breaks in a URL or a revision.
    '\\begin{sloppypar}',
    paragraph,
    '\\end{sloppypar}',
    '',
    ...tableLines(form, { ...table, caption: captionOf(lock.nodes.length, lock.revision) }),
  ]);
}

function joinLines(lines: Iterable<string>): string {
  return `${[...lines].join('\n')}\n`;
}

const same = (text: string) => text;
const doubleQuoted = (text: string) => `"${text}"`;

const STYLES = {
  text: { escaped: same, revision: same, quoted: doubleQuoted, link: same },
  markdown: { escaped: markdownText, revision: same, quoted: doubleQuoted, link: (url: string) => `<${url}>` },
  latex: {
    escaped: latexText,
    revision: (id: string) => id.replace(/.{8}(?!$)/g, '$&\\allowbreak{}'),
    quoted: (text: string) => `\`\`${text}''`,
    link: latexUrl,
  },
} as const;
