/** Sources as they stand -> the tree that would be built of them if they were recorded, rendered as it is asked for. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { JSON_MEDIA_TYPE } from '../../core/api/dialect.ts';
import { hasExplorer } from '../../core/api/explorer/explorer.ts';
import { idAt, type Publication } from '../../core/api/publication.ts';
import { snapshotAt, versionAt } from '../../core/api/urls.ts';
import { sha256 } from '../../core/model/digest.ts';
import { certain } from '../../core/platform/certain.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { cacheControl } from '../../core/tree/headers.ts';
import { fileOfUrl, MANIFEST_FILE, MANIFEST_URL } from '../../core/tree/layout.ts';
import { planTree } from '../../core/tree/plan/plan-tree.ts';
import type { Plan, PlanSection } from '../../core/tree/plan/planned.ts';
import type { ServedDocument } from '../../core/tree/served-documents.ts';
import { choicesOf } from '../build/build-options.ts';
import { manifestWritten } from '../build/manifest-at.ts';
import { planBuild } from '../build/plan-build.ts';
import { type PublicationOptions, publicationOf } from '../build/publication-of.ts';
import type { DifferingResource } from '../revisions/differing-resources.ts';
import { previewOf } from '../revisions/preview.ts';
import { loadSources, type SourceOptions } from '../sources/load-sources.ts';
import {
  type AnswerSettings,
  answerSettings,
  type OpenableDocument,
  type OpenBody,
  type ServedTree,
} from './served-tree.ts';

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

interface PlannedTreeOptions {
  readonly publication: Publication;
  readonly plan: Plan;
  readonly settings: AnswerSettings;
  /** Makes the manifest, for which everything is rendered. */
  readonly manifest: () => Promise<Buffer>;
}

/** What a tree of the plan would answer. Its time is that of the head, but for the manifest: that is as old as it is. */
function plannedTree({ publication, plan, settings, manifest }: PlannedTreeOptions): ServedTree {
  const { dialect } = publication;
  const documents = finder(plan.documents, publication.history);
  const aliases = finder(plan.aliases, publication.history);
  const gone = lazily(
    () => new Map(plan.files().flatMap(({ removed, body }) => (removed ? [[removed, body] as const] : []))),
  );
  const manifestDocument = lazily(async () => {
    const modified = Math.floor(Date.now() / 1000);
    const said = { file: MANIFEST_FILE, type: JSON_MEDIA_TYPE, cache: 'mutable', modified } as const;
    return inMemory({ ...said, target: undefined }, await manifest());
  });
  const get = (url: string): OpenableDocument | undefined => {
    const alias = documents(url) ? undefined : aliases(url);
    const document = documents(alias?.target ?? url);
    if (!document) return undefined;
    const { form, modified, body } = document;
    const type = dialect.mediaType(form);
    const { cache } = alias ?? document;
    return inMemory({ file: fileOfUrl(url), type, cache, modified, target: alias?.target }, Buffer.from(body()));
  };
  const has = (url: string) => url === MANIFEST_URL || (documents(url) ?? aliases(url)) !== undefined;
  return {
    settings,
    dialect: dialect.name,
    has,
    hasExplorer: hasExplorer(publication),
    get: (url) => (url === MANIFEST_URL ? manifestDocument() : get(url)),
    isGone: (url) => gone().has(url),
    tombstone: (url) => certain(gone().get(url))(),
  };
}

/** Finds what sections list by its URL. Those that may have it are gone through once, as far as something is looked for. */
function finder<T extends { readonly url: string }>(
  sections: readonly PlanSection<T>[],
  { indexOf }: Publication['history'],
): (url: string) => T | undefined {
  const groups = new Map<string, PlanSection<T>[]>();
  for (const section of sections) {
    const name = groupName(section);
    const group = groups.get(name);
    if (group) group.push(section);
    else groups.set(name, [section]);
  }
  const finders = new Map([...groups].map(([name, group]) => [name, finderIn(group)]));
  return (url) => {
    const snapshot = indexOf.get(snapshotAt(url) ?? '');
    const version = indexOf.get(versionAt(url)?.id ?? '');
    const ofRevision = version === undefined ? groupName({ snapshot }) : groupName({ version });
    return finders.get(ofRevision)?.(url) ?? finders.get('')?.(url);
  };
}

/** Of sections whose URLs are of one form: versions of a revision, its snapshot, and all others. */
function groupName({ version, snapshot }: Partial<Pick<PlanSection<unknown>, 'version' | 'snapshot'>>): string {
  if (version !== undefined) return `versions ${version}`;
  return snapshot === undefined ? '' : `snapshot ${snapshot}`;
}

function finderIn<T extends { readonly url: string }>(sections: readonly PlanSection<T>[]) {
  const found = new Map<string, T>();
  const rest = listed(sections);
  return (url: string): T | undefined => {
    while (!found.has(url)) {
      const { value, done } = rest.next();
      if (done) break;
      found.set(value.url, value);
    }
    return found.get(url);
  };
}

function* listed<T>(sections: readonly PlanSection<T>[]): Generator<T, undefined> {
  for (const { list } of sections) yield* list();
  return undefined;
}

function inMemory(document: Omit<ServedDocument, 'cacheControl' | 'sha256' | 'size'>, bytes: Buffer): OpenableDocument {
  const body: OpenBody = {
    bytes: () => bytes,
    // The last byte counts, as in files.
    stream: ({ start = 0, end = bytes.length - 1 }) => Readable.from(chunksOf(bytes.subarray(start, end + 1))),
    size: () => bytes.length,
    close: () => {},
  };
  const headers = { cacheControl: cacheControl(document.cache) };
  return { ...document, ...headers, sha256: sha256(bytes), size: bytes.length, open: () => body };
}

/** As long as those of files: what compresses them then makes the same of both. */
const CHUNK = 1 << 16;

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}
