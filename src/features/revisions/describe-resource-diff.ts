/** The difference of two resources in the words of the command line. */
import { onOneLine } from '../../core/diagnostics/finding.ts';
import type { Palette } from '../../core/diagnostics/palette.ts';
import { plural } from '../../core/diagnostics/words.ts';
import { FIELD_CLASSES } from '../../core/model/field-classes.ts';
import { describeFields, describeSide } from './describe-history.ts';
import type { ComparedResourceSide, ResourceDiffResult } from './resource-diff.ts';

/** Both resources, the fields unless a summary is all that is asked for, and how many there are of each class. */
export function describeResourceDiff(
  { from, to, classes, fields }: ResourceDiffResult,
  isSummary: boolean,
  palette: Palette,
): string {
  const sides = `${palette.error(`- ${nameOf(from)}`)}\n${palette.good(`+ ${nameOf(to)}`)}\n`;
  const body = isSummary || fields.length === 0 ? '' : `\n${describeFields(fields, palette)}`;
  const counts = FIELD_CLASSES.flatMap((name) => (classes[name] ? [`${classes[name]} ${name}`] : []));
  const total = fields.length === 0 ? 'no differences' : `${plural(fields.length, 'field')}: ${counts.join(', ')}`;
  return `${sides}${body}\n${total}\n`;
}

function nameOf({ resource, name, ...side }: ComparedResourceSide): string {
  const called = name === undefined ? '' : `${onOneLine(name)} `;
  return `${called}${resource} at ${describeSide(side)}`;
}
