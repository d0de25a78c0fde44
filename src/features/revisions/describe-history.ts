/** Revisions, differences and resources in the words of the command line. */

import { onOneLine } from '../../core/diagnostics/finding.ts';
import type { Palette } from '../../core/diagnostics/palette.ts';
import { plural, shortId } from '../../core/diagnostics/words.ts';
import { ACTIONS, type Action } from '../../core/history/actions.ts';
import type { Counts } from '../../core/history/touches.ts';
import { FIELD_CLASSES } from '../../core/model/field-classes.ts';
import type { DifferingField } from '../../core/model/fields/differing-fields.ts';
import { isJsonObject } from '../../core/model/json.ts';
import { lastSegment } from '../../core/model/resource-path.ts';
import { isUuid } from '../../core/model/uid.ts';
import { certain } from '../../core/platform/certain.ts';
import { encodeYaml } from '../../core/registry/yaml/write-yaml.ts';
import { describeValues, subjectLine } from './describe-words.ts';
import type { DiffResult, Side } from './diff-result.ts';
import type { DifferingResource } from './differing-resources.ts';
import type { LogEntry, LogResult } from './log.ts';
import type { ShowResult } from './show.ts';

const ACTION_WIDTH = 'replaced'.length;
const WIDEST_LABEL = 48;

/** How much of a difference is told; all of it where nothing is said. */
export interface ShownExtent {
  readonly resources?: number;
  readonly fields?: number;
}

/** The resources in which something differs, by site, each with its fields one below the other. */
export function describeDifferences(
  changes: readonly DifferingResource[],
  palette: Palette,
  { resources = changes.length, fields = Number.POSITIVE_INFINITY }: ShownExtent = {},
): string {
  let text = '';
  let place: string | undefined;
  for (const change of changes.slice(0, resources)) {
    const site = sitePath(change.resource);
    if (site !== place) text += `${place === undefined ? '' : '\n'}${palette.strong(site || 'the grid')}\n`;
    place = site;
    text += describeResource(change, palette, fields);
  }
  const rest = changes.length - resources;
  return rest > 0 ? `${text}${palette.quiet(`and ${plural(rest, 'more resource')}\n`)}` : text;
}

function describeResource(change: DifferingResource, palette: Palette, most: number): string {
  const { resource, name, action, classes, fields, successor } = change;
  const uid = lastSegment(resource);
  const called = resource === '/' ? '/' : pathBelowSite(resource);
  const known = name === undefined || name === uid ? '' : ` ${palette.strong(onOneLine(name))}`;
  const followed = successor === undefined ? '' : `, succeeded by ${onOneLine(successor)}`;
  const head = `  ${actionColour(action, palette)(action.padEnd(ACTION_WIDTH))}${known} ${called} ${palette.quiet(`(${classes.join(', ')})`)}${followed}\n`;
  const rest = fields.length - most;
  const lines = describeFields(fields.slice(0, most), palette, '    ');
  return `${head}${lines}${rest > 0 ? palette.quiet(`    and ${plural(rest, 'more field')}\n`) : ''}`;
}

/** `sites/lyra` of a site and of all below it; empty for the grid and what stands directly below it. */
function sitePath(resource: string): string {
  const [collection, uid] = resource.split('/').slice(1);
  return collection === 'sites' ? `sites/${uid}` : '';
}

/** A UUID says by itself which resource it is; a name says so with the cluster alone. */
function pathBelowSite(resource: string): string {
  const segments = resource.split('/').slice(1);
  const isBelowSite = segments.length > 2 && !isUuid(certain(segments.at(-1)));
  return segments.slice(isBelowSite ? 2 : -2).join('/');
}

function actionColour(action: Action, palette: Palette): (text: string) => string {
  if (action === 'added') return palette.good;
  return action === 'removed' ? palette.error : palette.warning;
}

/** One line for each field, with labels as wide as the widest. */
export function describeFields(fields: readonly DifferingField[], palette: Palette, indent = ''): string {
  const width = Math.min(WIDEST_LABEL, Math.max(0, ...fields.map(({ field }) => field.length)));
  return fields.map((field) => `${indent}${describeField(field, width, palette)}`).join('');
}

function describeField(change: DifferingField, width: number, palette: Palette): string {
  const label = onOneLine(change.field).padEnd(width);
  const values = describeValues(change, palette);
  return `${label}  ${values}  ${palette.quiet(change.class)}\n`;
}

/** Both sides, the differences unless a summary is all that is asked for, and the counts. */
export function describeDiff(result: DiffResult, isSummary: boolean, palette: Palette): string {
  const { from, to, counts, changes } = result;
  const sides = `${palette.error(`- ${describeSide(from)}`)}\n${palette.good(`+ ${describeSide(to)}`)}\n`;
  const body = isSummary || changes.length === 0 ? '' : `\n${describeDifferences(changes, palette)}`;
  const about = result.resource === '/' ? '' : palette.quiet(`@ ${result.resource}\n`);
  return `${sides}${about}${body}\n${describeCounts(counts)}\n`;
}

/** Which revision, or the files. */
export function describeSide({ revision, date }: Side): string {
  return revision === undefined ? 'the files of the registry' : `${shortId(revision)} ${certain(date)}`;
}

/** `2 added, 1 replaced (2 hardware, 1 component)`; `no changes` when there are none. */
function describeCounts(counts: Counts): string {
  const parts = ACTIONS.flatMap((action) => (counts[action] > 0 ? [`${counts[action]} ${action}`] : []));
  const classes = FIELD_CLASSES.flatMap((name) => {
    const count = counts.classes[name] ?? 0;
    return count > 0 ? [`${count} ${name}`] : [];
  });
  if (parts.length === 0) return 'no changes';
  return `${parts.join(', ')}${classes.length > 0 ? `: ${classes.join(', ')}` : ''}`;
}

/** One line for each revision: identifier, day, author, message, and what changed. */
export function describeLog({ resource, revisions, total }: LogResult, palette: Palette): string {
  const lines = revisions.map((entry) => describeEntry(entry, palette));
  const rest = total - revisions.length;
  if (total === 0) return palette.quiet(`no revision of ${resource} that is asked for\n`);
  const more = rest > 0 ? palette.quiet(`and ${plural(rest, 'older revision')} of ${resource}\n`) : '';
  return lines.join('') + more;
}

function describeEntry({ id, date, author, message, changes, event }: LogEntry, palette: Palette): string {
  const what = palette.quiet(`(${describeCounts(changes)})`);
  const mark = event === undefined ? '' : ` ${eventColour(event, palette)(event)}`;
  return `${palette.warning(shortId(id))} ${date.slice(0, 10)} ${palette.strong(subjectLine(message))} ${palette.quiet(onOneLine(author))}${mark} ${what}\n`;
}

function eventColour(event: NonNullable<LogEntry['event']>, palette: Palette): (text: string) => string {
  return event === 'removed' ? palette.error : palette.good;
}

/** A resource as YAML, or the members of a collection one on each line. */
export function describeShow({ resource, revision, date, body }: ShowResult, palette: Palette): string {
  const head = palette.quiet(`# ${resource} at ${shortId(revision)}, ${date}`);
  if (!isJsonObject(body)) return `${head}\n${Array.isArray(body) ? body.map((uid) => `${uid}\n`).join('') : ''}`;
  return `${head}\n${encodeYaml(body)}`;
}
