/** What an import did, in the words of the command line. */
import { plural } from '../../core/diagnostics/words.ts';
import type { ImportResult } from './import.ts';

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
