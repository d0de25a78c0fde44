/** Opening what nodes are locked from and verified against: a service by its base URL, a tree, or a registry. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import type { Origin } from '../../core/lock/lock-format.ts';
import type { NodeSource } from '../../core/lock/node-past.ts';
import { withoutTrailing } from '../../core/platform/text.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import { shownPath } from '../../system/files/shown-path.ts';
import { isTreeFolder } from '../../system/trees/tree-folder.ts';
import type { PublishedReach } from './published-source.ts';

export interface ReachOptions extends PublishedReach {
  /** The configuration of a registry that does not stand beside it. */
  readonly config?: string | undefined;
}

/**
 * Reads from an origin, all of one revision. When another is published meanwhile, it reads all anew, once.
 */
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

/** Where a project has its registry. */
const REGISTRY_FOLDER = 'registry-data';

/** What a place on the command line is: a base URL, or a folder as seen from here. */
export function originOf(place: string): Origin {
  if (/^https?:\/\//i.test(place) && URL.canParse(place)) {
    // What signs a person in is not for a file that others read.
    const { origin, pathname } = new URL(place);
    return { kind: 'url', place: `${origin}${withoutTrailing(pathname, '/')}/` };
  }
  if (isTreeFolder(place)) return { kind: 'tree', place };
  if (isRegistry(place)) return { kind: 'registry', place };
  const inside = join(place, REGISTRY_FOLDER);
  const meant = isRegistry(inside) ? shownPath(inside) : undefined;
  return fail(finding('no-source', { place: shownPath(place), meant }));
}

function isRegistry(folder: string): boolean {
  return ['grid.yaml', HISTORY_FOLDER].some((name) => existsSync(join(folder, name)));
}
