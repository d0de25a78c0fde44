/** Changes and revisions in the words of the command line. */

import { printable } from '../diagnostics/finding.ts';
import { plural, shortId } from '../diagnostics/messages.ts';
import type { Palette } from '../diagnostics/render.ts';
import { updateAction } from '../history/replay.ts';
import type { Change } from '../history/revision-file.ts';
import type { Counts } from '../history/touches.ts';
import type { FieldChange } from '../model/difference.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import { kindAt } from '../model/resource-path.ts';
import { encodeYaml } from '../registry/encode.ts';
import type { BuildResult } from './build.ts';
import type { ImportResult } from './import.ts';
import type { LogResult } from './log.ts';
import type { ShowResult } from './show.ts';

const MOST_CHANGES = 20;
const MOST_FIELDS = 8;
const WIDEST_VALUE = 60;

/** One line for each resource, and below it one for each field that changed. */
export function describeChanges(changes: readonly Change[], palette: Palette): string {
  const lines = changes.slice(0, MOST_CHANGES).flatMap((change) => {
    const path = change.path || '/';
    if (change.action !== 'updated') return [`${change.action.padEnd(8)} ${path}`];
    const rest = change.fields.length - MOST_FIELDS;
    return [
      `${updateAction(kindAt(change.path).name, change.fields).padEnd(8)} ${path}`,
      ...change.fields
        .slice(0, MOST_FIELDS)
        .map((field) => palette.quiet(`           ${describeField(field)}`)),
      ...(rest > 0 ? [palette.quiet(`           and ${plural(rest, 'more field')}`)] : []),
    ];
  });
  const rest = changes.length - MOST_CHANGES;
  return [...lines, ...(rest > 0 ? [`and ${plural(rest, 'more change')}`] : [])]
    .map((line) => `  ${line}\n`)
    .join('');
}

function describeField({ at, from, to, order }: FieldChange): string {
  if (order) return `${at}: in another order`;
  if (from === undefined) return `${at}: ${value(to)} (new)`;
  if (to === undefined) return `${at}: ${value(from)} (gone)`;
  return `${at}: ${value(from)} -> ${value(to)}`;
}

function value(json: Json | undefined): string {
  const text = JSON.stringify(json) ?? '';
  return text.length > WIDEST_VALUE ? `${text.slice(0, WIDEST_VALUE - 1)}…` : text;
}

/** `2 added, 1 replaced`; `no changes` when there are none. */
function describeCounts(counts: Counts): string {
  const parts = (['added', 'updated', 'removed', 'replaced'] as const).flatMap((action) =>
    counts[action] > 0 ? [`${counts[action]} ${action}`] : [],
  );
  return parts.length > 0 ? parts.join(', ') : 'no changes';
}

/** The first line of a message. */
function subjectLine(message: string): string {
  return printable(message.split('\n')[0] ?? '');
}

export function describeBuild(result: BuildResult): string {
  const { out, revision, documents, aliases, snapshots, isWritten } = result;
  const contents = `${plural(documents, 'document')}, ${plural(aliases, 'alias', 'aliases')}, ${plural(snapshots, 'snapshot')}`;
  const done = isWritten ? 'Built' : 'Up to date:';
  return `${done} ${out} at revision ${shortId(revision)}: ${contents}.\n`;
}

export function describeImport(result: ImportResult): string {
  const { out, added, revisions, resources, configuration } = result;
  const news =
    added === revisions ? plural(added, 'revision') : `${plural(added, 'new revision')} of ${revisions}`;
  const written =
    configuration === undefined
      ? ''
      : `Wrote ${configuration}, with what the registry tells: look it over.\n`;
  return `Imported ${news} and ${plural(resources, 'resource')} into ${out}.\n${written}`;
}

/** One line for each revision: identifier, day, author, message, and what changed. */
export function describeLog({ resource, revisions, total }: LogResult, palette: Palette): string {
  const lines = revisions.map(({ id, date, author, message, changes }) => {
    const what = palette.quiet(`(${describeCounts(changes)})`);
    return `${palette.warning(shortId(id))} ${date.slice(0, 10)} ${palette.strong(subjectLine(message))} ${palette.quiet(printable(author))} ${what}\n`;
  });
  const rest = total - revisions.length;
  const more = rest > 0 ? palette.quiet(`and ${plural(rest, 'older revision')} of ${resource}\n`) : '';
  return lines.join('') + more;
}

/** A resource as YAML, or the members of a collection one on each line. */
export function describeShow({ resource, revision, date, body }: ShowResult, palette: Palette): string {
  const head = palette.quiet(`# ${resource} at ${shortId(revision)}, ${date}`);
  if (!isJsonObject(body))
    return `${head}\n${Array.isArray(body) ? body.map((uid) => `${uid}\n`).join('') : ''}`;
  return `${head}\n${encodeYaml(body)}`;
}
