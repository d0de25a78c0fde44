import { parseBase } from '../../core/client/parse-base.ts';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import type { Origin } from '../../core/lock/lock-format.ts';
import type { NodeSource } from '../../core/lock/node-source.ts';
import { withoutTrailing } from '../../core/platform/text.ts';
import { displayPath } from '../../system/files/display-path.ts';
import { isTreeFolder } from '../../system/trees/tree-folder.ts';
import { isRegistry, registryInProject } from '../sources/registry-files.ts';
import type { ReachOptions } from './published-source.ts';

/** Reads all data from one revision. If a new revision is published meanwhile, reads all data once more. */
export async function readNodes<T>(
  { kind, place }: Origin,
  options: ReachOptions,
  read: (source: NodeSource) => Promise<T>,
): Promise<T> {
  if (kind === 'registry') {
    const { readRegistryNodes } = await import('./registry-source.ts');
    return await readRegistryNodes({ registry: place, config: options.config }, read);
  }
  const { readPublishedNodes } = await import('./published-source.ts');
  return await readPublishedNodes({ kind, place }, options, read);
}

/** Returns the origin for a base URL or a folder. Relative paths start at the working folder. */
export function originOf(place: string): Origin {
  if (/^https?:\/\//i.test(place) && URL.canParse(place)) {
    const { origin, pathname } = parseBase(place);
    return { kind: 'url', place: `${origin}${withoutTrailing(pathname, '/')}/` };
  }
  if (isTreeFolder(place)) return { kind: 'tree', place };
  if (isRegistry(place)) return { kind: 'registry', place };
  return fail(finding('no-source', { place: displayPath(place), meant: registryInProject(place) }));
}
