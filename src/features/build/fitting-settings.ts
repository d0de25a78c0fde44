import { AUTO, type Configuration } from '../../core/model/configuration.ts';
import { DAY_SECONDS, epochSeconds, isoTimestamp } from '../../core/model/revision.ts';
import type { PublicSources } from '../sources/public-sources.ts';

type Fits = (configuration: Configuration) => Promise<boolean>;

interface Step {
  /** The line to add to gridpress.yaml. */
  readonly line: string;
  readonly change: Partial<Configuration>;
}

/** The history lengths to try, in days before the head, longest first. */
const HISTORY_DAYS = [1460, 365, 90, 7, 0];

/** Returns lines for gridpress.yaml that make the tree fit its limits. Returns an empty list if no lines suffice. */
export async function fittingSettings(
  { configuration, history }: Pick<PublicSources, 'configuration' | 'history'>,
  fits: Fits,
): Promise<readonly string[]> {
  let changed: Configuration = configuration;
  const lines: string[] = [];
  for (const { line, change } of stepsFrom(configuration)) {
    changed = { ...changed, ...change };
    lines.push(line);
    if (await fits(changed)) return lines;
  }
  const head = epochSeconds(history.revisions.at(-1)?.date ?? '');
  for (const days of HISTORY_DAYS) {
    const day = isoTimestamp(head - days * DAY_SECONDS).slice(0, 'YYYY-MM-DD'.length);
    if (await fits({ ...changed, history: { since: day } })) return [...lines, `history: {since: ${day}}`];
  }
  return [];
}

/**
 * Returns the steps that can make the tree smaller. Omits steps without effect, such as `badges: none` if it is already
 * set.
 */
function stepsFrom({ snapshots, version_links, index_files, timemaps, badges, search }: Configuration): Step[] {
  const all: (Step & { readonly isUseful: boolean })[] = [
    { line: 'snapshots: auto', change: { snapshots: AUTO }, isUseful: snapshots !== AUTO && snapshots !== 'none' },
    {
      line: 'version_links: auto',
      change: { version_links: AUTO },
      isUseful: version_links !== AUTO && version_links !== 'none',
    },
    { line: 'index_files: auto', change: { index_files: AUTO }, isUseful: index_files === true },
    { line: 'timemaps: false', change: { timemaps: false }, isUseful: timemaps },
    { line: 'badges: none', change: { badges: 'none' }, isUseful: badges !== 'none' },
    {
      line: 'search: {names: false}',
      change: { search: { ...search, names: false } },
      isUseful: search?.names !== false,
    },
  ];
  return all.filter(({ isUseful }) => isUseful);
}
