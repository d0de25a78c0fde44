/** Sources as they stand -> the tree that would be built of them if they were recorded, rendered as it is asked for. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { idAt } from '../../core/api/publication.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import { planTree } from '../../core/tree/plan/plan-tree.ts';
import { choicesOf } from '../build/build-options.ts';
import { manifestWritten } from '../build/manifest-at.ts';
import { planBuild } from '../build/plan-build.ts';
import { type PublicationOptions, publicationOf } from '../build/publication-of.ts';
import type { DifferingResource } from '../revisions/differing-resources.ts';
import { previewOf } from '../revisions/preview.ts';
import { loadSources, type SourceOptions } from '../sources/load-sources.ts';
import { plannedTree } from './planned-tree.ts';
import { answerSettings, type ServedTree } from './served-tree.ts';

export interface PreviewOptions extends SourceOptions, PublicationOptions {
  readonly showsProgress: boolean;
}

export interface PreviewTree {
  readonly tree: ServedTree;
  readonly revision: string;
  readonly pending: readonly DifferingResource[];
  /** What the sources say, as a digest. */
  readonly digest: string;
}

export const answerOthers = (): Promise<void> => setImmediate();

/** Fails with every finding that stands against the sources, but that there is something to record. */
export function previewTree(options: PreviewOptions): PreviewTree {
  const loaded = loadSources(options);
  const { sources, pending } = previewOf(loaded);
  const digest = sources.digest(choicesOf({ ...options, isPreview: true }));
  const publication = publicationOf(sources, options);
  const { showsProgress } = options;
  const run = { sources: digest, isProvisional: pending.length > 0, showsProgress, pause: answerOthers };
  const tree = plannedTree({
    publication,
    plan: planTree(publication),
    settings: answerSettings(sources.configuration),
    manifest: async () =>
      manifestWritten(await planBuild(sources, options), run, (folder) => readFileSync(join(folder, MANIFEST_FILE))),
  });
  return { tree, pending, digest, revision: idAt(publication, publication.head) };
}
