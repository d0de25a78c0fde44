/** Reads nodes at the head of a registry. Searches only the histories of these nodes. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, fail, failAll, finding } from '../../core/diagnostics/finding.ts';
import { type PublicBodyOf, publicHistory } from '../../core/history/public-history.ts';
import type { History } from '../../core/history/replay.ts';
import { historySource } from '../../core/lock/history-source.ts';
import type { ListedNode, NodeSource } from '../../core/lock/node-source.ts';
import { isNodePath, subjectAt } from '../../core/model/resource-path.ts';
import { membersOf, resourcesIn } from '../../core/model/state.ts';
import { nodeNameOf } from '../../core/model/uid.ts';
import { fileOfResource } from '../../core/registry/layout.ts';
import { sourceReader, storedObject } from '../../core/registry/registry.ts';
import { rejectLinkOutside } from '../../system/files/read-folder.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { checkFindings, loadHeadSources, type SourceOptions } from '../sources/load-sources.ts';
import { publicBodiesOf } from '../sources/privacy.ts';
import { type SearchedHistory, searchHistoryLater } from '../sources/search-history.ts';

export async function readRegistryNodes<T>(
  options: SourceOptions,
  read: (source: NodeSource) => Promise<T>,
): Promise<T> {
  try {
    return await searchHistoryLater(options, (history) => {
      const bodyOf = publicBodiesOf(options, history);
      const shown = (whole: History) => (bodyOf ? publicHistory(whole, history.store, bodyOf) : whole);
      return read(
        historySource({
          ...history,
          of: (subject) => shown(history.of(subject)),
          nodesNamed: (name) =>
            history.resourcesNamed(name).map((found) => ({ ...found, history: shown(found.history) })),
          list: () => listNodes(options, history),
          sites: () => listSites(history),
          checkRecorded: recordedCheck(options, history, bodyOf),
        }),
      );
    });
  } catch (error) {
    // An unknown node that the registry files contain is an unrecorded change.
    if (error instanceof Failure && error.findings.some(({ code }) => /^unknown-(?:node|hosts)$/.test(code))) {
      const findings = checkFindings(loadHeadSources(options));
      if (findings.length > 0) return failAll(findings);
    }
    throw error;
  }
}

function listNodes(options: SourceOptions, history: SearchedHistory): ListedNode[] {
  const { state, store } = history.present();
  // The present bodies have a store of their own.
  const bodyOf = publicBodiesOf(options, { ...history, store }) ?? asIs;
  return [...resourcesIn(state)].flatMap(([path, { body }]) =>
    isNodePath(path) ? [{ path, name: nodeNameOf(storedObject(store, bodyOf(body, path).handle)) }] : [],
  );
}

const asIs: PublicBodyOf = (body) => body;

function listSites(history: SearchedHistory): string[] {
  const { state } = history.present();
  return state ? [...membersOf(state, 'sites').keys()] : [];
}

/** Fails for nodes with unrecorded changes, because a lock file needs a revision. */
function recordedCheck(
  { registry }: SourceOptions,
  { folder, kinds, store }: SearchedHistory,
  bodyOf: PublicBodyOf = asIs,
) {
  const read = sourceReader(folder, store, packagedChecks);
  return (path: string, recorded: { readonly digest: string } | undefined): void => {
    const subject = subjectAt(path, kinds);
    const file = fileOfResource(subject);
    const isThere = existsSync(join(registry, file));
    if (isThere) rejectLinkOutside(registry, folder.name, file);
    const source = isThere ? read(file, subject.kind) : undefined;
    if (source?.findings) failAll(source.findings);
    const body = source && bodyOf(source.body, path);
    if (body?.digest === recorded?.digest) return;
    const [added, updated, removed] = [!recorded, recorded && source, !source].map((is) => (is ? [path] : []));
    fail(finding('unrecorded-changes', { added: added ?? [], updated: updated ?? [], removed: removed ?? [] }));
  };
}
