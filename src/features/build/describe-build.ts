/** What a build did, in the words of the command line. */
import { plural, shortId } from '../../core/diagnostics/words.ts';
import type { BuildResult } from './build-options.ts';

export function describeBuild(result: BuildResult): string {
  const { out, revision, documents, aliases, snapshots, isWritten } = result;
  const contents = `${plural(documents, 'document')}, ${plural(aliases, 'alias', 'aliases')}, ${plural(snapshots, 'snapshot')}`;
  const done = isWritten ? 'Built' : 'Up to date:';
  return `${done} ${out} at revision ${shortId(revision)}: ${contents}.\n`;
}
