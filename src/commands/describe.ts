/** What builds and imports did, in the words of the command line. */
import { plural, shortId } from '../diagnostics/words.ts';
import type { BuildResult } from './build.ts';
import type { ImportResult } from './import.ts';

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
