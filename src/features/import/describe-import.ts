/** What an import did, in the words of the command line. */
import { type Finding, type FindingOf, finding } from '../../core/diagnostics/finding.ts';
import { plural, shortId } from '../../core/diagnostics/words.ts';
import { byCodeUnit } from '../../core/model/json.ts';
import { pathAbove } from '../../core/model/resource-path.ts';
import type { ImportResult } from './import.ts';

export function describeImport(result: ImportResult): string {
  const { out, head, added, revisions, resources, configuration, isMergeDue } = result;
  const news = added === revisions ? plural(added, 'revision') : `${plural(added, 'new revision')} of ${revisions}`;
  const written =
    configuration === undefined ? '' : `Wrote ${configuration}, with what the registry tells: look it over.\n`;
  const due = isMergeDue
    ? `What was recorded here is kept, with what is new. Look it over and join the two: gridpress record --merge ${shortId(head)} -m MESSAGE\n`
    : '';
  return `Imported ${news} and ${plural(resources, 'resource')} into ${out}.\n${written}${due}`;
}

/** Above as many, files that are no resources are counted by their folders. */
const MOST_NAMED = 10;

/** The warnings as people are told: a repository of many years has thousands of files that are no resources. */
export function warningsToShow({ warnings }: Pick<ImportResult, 'warnings'>): readonly Finding[] {
  const leftOut = warnings.filter((one) => one.code === 'import-no-resource');
  if (leftOut.length <= MOST_NAMED) return warnings;
  return [...warnings.filter((one) => one.code !== 'import-no-resource'), countedByFolder(leftOut)];
}

function countedByFolder(leftOut: readonly FindingOf<'import-no-resource'>[]): Finding {
  const files = new Set(leftOut.map(({ args }) => args.path));
  const folders = new Map<string, number>();
  for (const file of files) {
    const folder = `${withoutUids(pathAbove(file))}/`;
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  const byCount = [...folders].sort(([a, most], [b, more]) => more - most || byCodeUnit(a, b));
  return finding('import-left-out', { files: files.size, folders: byCount });
}

/** `sites/lyra/vlans` and the like of all sites are one folder: uids become stars. */
function withoutUids(folder: string): string {
  const segments = folder.split('/');
  const sites = segments.indexOf('sites');
  return segments.map((segment, i) => (sites >= 0 && i > sites && (i - sites) % 2 === 1 ? '*' : segment)).join('/');
}
