/** What is recorded, in the words of the command line. */
import type { Palette } from '../../core/diagnostics/palette.ts';
import { shortId } from '../../core/diagnostics/words.ts';
import { describeDifferences } from './describe-history.ts';
import type { DifferingResource } from './differing-resources.ts';
import type { RecordResult } from './record.ts';

/** How much of a revision is told: a merge can change thousands of fields. */
const TOLD = { resources: 50, fields: 20 };

/** What is about to be recorded; all of it where nothing is going to be written. */
export function describeRecording(changes: readonly DifferingResource[], isDry: boolean, palette: Palette): string {
  return describeDifferences(changes, palette, isDry ? {} : TOLD);
}

/** Where it is, and what shows all of it where not all was told. */
export function describeRecorded({ id, parents, file, isWritten, changes }: RecordResult): string {
  if (!isWritten) return `\nNothing was written; it would have been ${file}.\n`;
  const [parent] = parents;
  const recorded = `\nRecorded ${id} in ${file}.\n`;
  return parent === undefined || isTold(changes)
    ? recorded
    : `${recorded}"gridpress diff ${shortId(parent)} ${shortId(id)}" shows all of it.\n`;
}

function isTold(changes: readonly DifferingResource[]): boolean {
  return changes.length <= TOLD.resources && changes.every(({ fields }) => fields.length <= TOLD.fields);
}
