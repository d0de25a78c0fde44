import { onOneLine } from '../../core/diagnostics/finding.ts';
import type { Palette } from '../../core/diagnostics/palette.ts';
import { plural, shortId } from '../../core/diagnostics/words.ts';
import { ACTIONS } from '../../core/history/revision-file.ts';
import type { Counts } from '../../core/history/touches.ts';
import { FIELD_CLASSES } from '../../core/model/field-classes.ts';
import type { DifferingField } from '../../core/model/fields/differing-fields.ts';
import { byNaturalOrder, isJsonObject } from '../../core/model/json.ts';
import { lastSegment, pathAbove } from '../../core/model/resource-path.ts';
import { utcTimestamp } from '../../core/model/revision.ts';
import { isUuid } from '../../core/model/uid.ts';
import { assertDefined, groupBy } from '../../core/platform/lookups.ts';
import { encodeYaml } from '../../core/registry/yaml/write-yaml.ts';
import { describeValues, subjectLine } from './describe-words.ts';
import type { DiffResult, Side } from './diff.ts';
import type { DifferingResource } from './differing-resources.ts';
import type { LogEntry, LogResult } from './log.ts';
import type { RecordResult } from './record.ts';
import type { ComparedResourceSide, ResourceDiffResult } from './resource-diff.ts';
import type { ShowResult } from './show.ts';

const ACTION_WIDTH = 'replaced'.length;
const WIDEST_LABEL = 48;

export function describeDifferences(
  changes: readonly DifferingResource[],
  palette: Palette,
  { resources = changes.length, fields = Number.POSITIVE_INFINITY } = {},
): string {
  let text = '';
  let place: string | undefined;
  for (const change of byNames(changes).slice(0, resources)) {
    const site = sitePath(change.resource);
    if (site !== place) text += `${place === undefined ? '' : '\n'}${palette.strong(site || 'the grid')}\n`;
    place = site;
    text += describeResource(change, palette, fields);
  }
  const rest = changes.length - resources;
  return rest > 0 ? `${text}${palette.quiet(`and ${plural(rest, 'more resource')}\n`)}` : text;
}

/** Sorts the members of each collection by name, because the order of UUIDs means nothing to people. */
function byNames(changes: readonly DifferingResource[]): DifferingResource[] {
  const collections: Map<string, DifferingResource[]> = groupBy(changes, ({ resource }) => pathAbove(resource));
  const nameOf = ({ name, resource }: DifferingResource) => name ?? lastSegment(resource);
  for (const members of collections.values()) members.sort((a, b) => byNaturalOrder(nameOf(a), nameOf(b)));
  return changes.flatMap((change) => collections.get(pathAbove(change.resource))?.shift() ?? []);
}

function describeResource(change: DifferingResource, palette: Palette, most: number): string {
  const { resource, name, action, classes, fields, successor } = change;
  const colour = { added: palette.good, removed: palette.error, updated: palette.warning, replaced: palette.warning };
  const uid = lastSegment(resource);
  const called = resource === '/' ? '/' : pathBelowSite(resource);
  const known = name === undefined || name === uid ? '' : ` ${palette.strong(onOneLine(name))}`;
  const followed = successor === undefined ? '' : `, succeeded by ${onOneLine(successor)}`;
  const head = `  ${colour[action](action.padEnd(ACTION_WIDTH))}${known} ${called} ${palette.quiet(`(${classes.join(', ')})`)}${followed}\n`;
  const rest = fields.length - most;
  const lines = describeFields(fields.slice(0, most), palette, '    ');
  return `${head}${lines}${rest > 0 ? palette.quiet(`    and ${plural(rest, 'more field')}\n`) : ''}`;
}

/** Returns `sites/lyra` for a site and everything below it, or an empty text for other resources. */
function sitePath(resource: string): string {
  const [collection, uid] = resource.split('/').slice(1);
  return collection === 'sites' ? `sites/${uid}` : '';
}

/** Shortens a path to its last two parts if the uid is a UUID. Other paths keep all parts below the site. */
function pathBelowSite(resource: string): string {
  const segments = resource.split('/').slice(1);
  const isBelowSite = segments.length > 2 && !isUuid(assertDefined(segments.at(-1)));
  return segments.slice(isBelowSite ? 2 : -2).join('/');
}

function describeFields(fields: readonly DifferingField[], palette: Palette, indent = ''): string {
  const width = Math.min(WIDEST_LABEL, Math.max(0, ...fields.map(({ field }) => field.length)));
  const lineOf = (change: DifferingField) =>
    `${indent}${onOneLine(change.field).padEnd(width)}  ${describeValues(change, palette)}  ${palette.quiet(change.class)}\n`;
  return fields.map(lineOf).join('');
}

export function describeDiff(result: DiffResult, isSummary: boolean, palette: Palette): string {
  const { from, to, counts, changes } = result;
  const sides = `${palette.error(`- ${describeSide(from)}`)}\n${palette.good(`+ ${describeSide(to)}`)}\n`;
  const body = isSummary || changes.length === 0 ? '' : `\n${describeDifferences(changes, palette)}`;
  const about = result.resource === '/' ? '' : palette.quiet(`@ ${result.resource}\n`);
  return `${sides}${about}${body}\n${describeCounts(counts)}\n`;
}

function describeSide({ revision, date }: Side): string {
  return revision === undefined
    ? 'the files of the registry'
    : `${shortId(revision)} ${utcTimestamp(assertDefined(date))}`;
}

/** Returns a text such as `2 added, 1 replaced: 2 hardware, 1 component`, or `no changes`. */
function describeCounts(counts: Counts): string {
  const parts = ACTIONS.flatMap((action) => (counts[action] > 0 ? [`${counts[action]} ${action}`] : []));
  const classes = classCounts(counts.classes);
  if (parts.length === 0) return 'no changes';
  return `${parts.join(', ')}${classes.length > 0 ? `: ${classes.join(', ')}` : ''}`;
}

function classCounts(classes: Counts['classes']): string[] {
  return FIELD_CLASSES.flatMap((name) => (classes[name] ? [`${classes[name]} ${name}`] : []));
}

export function describeLog({ resource, revisions, total }: LogResult, palette: Palette): string {
  const lines = revisions.map((entry) => describeEntry(entry, palette));
  const rest = total - revisions.length;
  if (total === 0) return palette.quiet(`no matching revision of ${resource}\n`);
  const more = rest > 0 ? palette.quiet(`and ${plural(rest, 'older revision')} of ${resource}\n`) : '';
  return lines.join('') + more;
}

function describeEntry({ id, date, author, message, changes, event, moved }: LogEntry, palette: Palette): string {
  const what = palette.quiet(`(${describeCounts(changes)})`);
  const colour = event === 'removed' ? palette.error : palette.good;
  const move = moved === undefined ? '' : `, moved ${event === 'removed' ? 'to' : 'from'} ${moved}`;
  const mark = event === undefined ? '' : ` ${colour(`${event}${move}`)}`;
  return `${palette.warning(shortId(id))} ${shownDate(date)} ${palette.strong(subjectLine(message))} ${palette.quiet(onOneLine(author))}${mark} ${what}\n`;
}

/** Returns a date in a form that the option `--at` accepts, or `undated` for an empty date. */
function shownDate(date: string): string {
  return date === '' ? 'undated' : utcTimestamp(date);
}

export function describeShow({ resource, revision, date, body }: ShowResult, palette: Palette): string {
  const head = palette.quiet(`# ${resource} at ${shortId(revision)}, ${utcTimestamp(date)}`);
  if (!isJsonObject(body)) return `${head}\n${Array.isArray(body) ? body.map((uid) => `${uid}\n`).join('') : ''}`;
  return `${head}\n${encodeYaml(body)}`;
}

/** Limits the printed changes, because a merge can change thousands of fields. */
const SHOWN = { resources: 50, fields: 20 };

export function describeRecording(changes: readonly DifferingResource[], dryRun: boolean, palette: Palette): string {
  return describeDifferences(changes, palette, dryRun ? {} : SHOWN);
}

export function describeRecorded({ id, parents, file, isWritten, changes }: RecordResult): string {
  if (!isWritten) return `\nNothing was written; it would have been ${file}.\n`;
  const [parent] = parents;
  const isAllShown = changes.length <= SHOWN.resources && changes.every(({ fields }) => fields.length <= SHOWN.fields);
  const rest =
    parent === undefined || isAllShown ? '' : `"gridpress diff ${shortId(parent)} ${shortId(id)}" shows all of it.\n`;
  return `\nRecorded ${id} in ${file}.\n${rest}`;
}

export function describeResourceDiff(
  { from, to, classes, fields }: ResourceDiffResult,
  isSummary: boolean,
  palette: Palette,
): string {
  const sides = `${palette.error(`- ${nameOf(from)}`)}\n${palette.good(`+ ${nameOf(to)}`)}\n`;
  const body = isSummary || fields.length === 0 ? '' : `\n${describeFields(fields, palette)}`;
  const counts = classCounts(classes).join(', ');
  const total = fields.length === 0 ? 'no differences' : `${plural(fields.length, 'field')}: ${counts}`;
  return `${sides}${body}\n${total}\n`;
}

function nameOf({ resource, name, ...side }: ComparedResourceSide): string {
  const called = name === undefined ? '' : `${onOneLine(name)} `;
  return `${called}${resource} at ${describeSide(side)}`;
}
