import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { JSON_MEDIA_TYPE } from '../../core/api/dialect.ts';
import { hasExplorer } from '../../core/api/explorer/explorer.ts';
import { idAt, type Publication } from '../../core/api/publication.ts';
import { snapshotAt, versionAt } from '../../core/api/urls.ts';
import { sha256 } from '../../core/model/digest.ts';
import { assertDefined, groupBy } from '../../core/platform/lookups.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { fileOfUrl, MANIFEST_FILE, MANIFEST_URL } from '../../core/tree/layout.ts';
import { planTree } from '../../core/tree/plan/plan-tree.ts';
import type { PlanSection } from '../../core/tree/plan/planned.ts';
import type { ServedDocument } from '../../core/tree/served-documents.ts';
import { choicesOf, type SettingOptions, withSettings } from '../build/build-options.ts';
import { withManifestFolder } from '../build/manifest-at.ts';
import { planEverything } from '../build/plan-build.ts';
import { publicationOf } from '../build/publication-of.ts';
import type { DifferingResource } from '../revisions/differing-resources.ts';
import { previewOf } from '../revisions/pending-revision.ts';
import { loadSources, type SourceOptions } from '../sources/load-sources.ts';
import { publicSources } from '../sources/public-sources.ts';
import {
  type AnswerSettings,
  answerSettings,
  type OpenableDocument,
  type OpenBody,
  type ServedTree,
} from './served-tree.ts';

export interface PreviewOptions extends SourceOptions, SettingOptions {
  readonly showsProgress: boolean;
}

export interface PreviewTree {
  readonly tree: ServedTree;
  readonly revision: string;
  readonly pending: readonly DifferingResource[];
  /** A digest of the registry files and the build options. */
  readonly digest: string;
}

export const yieldToRequests = (): Promise<void> => setImmediate();

/** Renders documents on request. Fails if there are findings other than unrecorded changes. */
export function previewTree(options: PreviewOptions): PreviewTree {
  const { sources: given, pending } = previewOf(publicSources(loadSources(options), options));
  const sources = withSettings(given, options);
  const digest = sources.digest(choicesOf({ ...options, isPreview: true }));
  const publication = publicationOf(sources);
  const { showsProgress } = options;
  const run = { sources: digest, isProvisional: pending.length > 0, showsProgress, pause: yieldToRequests };
  const manifest = async () =>
    withManifestFolder(await planEverything(publication, sources), run, (folder) =>
      readFileSync(join(folder, MANIFEST_FILE)),
    );
  const tree = plannedTree(publication, answerSettings(sources.configuration), manifest);
  return { tree, pending, digest, revision: idAt(publication, publication.head) };
}

/** Calls `manifest` only if a client requests the manifest. This call renders all documents. */
function plannedTree(publication: Publication, settings: AnswerSettings, manifest: () => Promise<Buffer>): ServedTree {
  const { dialect, cacheControl } = publication;
  const plan = planTree(publication);
  const documents = finder(plan.documents, publication.history);
  const aliases = finder(plan.aliases, publication.history);
  const tombstones = lazily(
    () => new Map(plan.files().flatMap(({ removedUrl, body }) => (removedUrl ? [[removedUrl, body] as const] : []))),
  );
  const manifestDocument = lazily(async () => {
    const modified = Math.floor(Date.now() / 1000);
    const entry = {
      file: MANIFEST_FILE,
      type: JSON_MEDIA_TYPE,
      cache: 'mutable',
      cacheControl: cacheControl.mutable,
      modified,
      target: undefined,
    } as const;
    return inMemory(entry, await manifest());
  });
  const get = (url: string): OpenableDocument | undefined => {
    const alias = documents(url) ? undefined : aliases(url);
    const document = documents(alias?.target ?? url);
    if (!document) return undefined;
    const { form, modified, body } = document;
    const type = dialect.mediaType(form);
    const { cache } = alias ?? document;
    const answer = { file: fileOfUrl(url), type, cache, cacheControl: cacheControl[cache], modified };
    return inMemory({ ...answer, target: alias?.target }, Buffer.from(body()));
  };
  const has = (url: string) => url === MANIFEST_URL || (documents(url) ?? aliases(url)) !== undefined;
  return {
    settings,
    dialect: dialect.name,
    has,
    hasExplorer: hasExplorer(publication),
    get: (url) => (url === MANIFEST_URL ? manifestDocument() : get(url)),
    isGone: (url) => tombstones().has(url),
    tombstone: (url) => assertDefined(tombstones().get(url))(),
  };
}

/**
 * Returns a function that finds a document or alias by its URL. The returned function reads only the sections of the
 * plan that can contain the URL.
 */
function finder<T extends { readonly url: string }>(
  sections: readonly PlanSection<T>[],
  { indexOf }: Publication['history'],
): (url: string) => T | undefined {
  const groups = groupBy(sections, groupName);
  const finders = new Map([...groups].map(([name, group]) => [name, finderIn(group)]));
  return (url) => {
    const snapshot = indexOf.get(snapshotAt(url) ?? '');
    const version = indexOf.get(versionAt(url) ?? '');
    const ofRevision = version === undefined ? groupName({ snapshot }) : groupName({ version });
    return finders.get(ofRevision)?.(url) ?? finders.get('')?.(url);
  };
}

/**
 * Returns one name for all versions of a revision, one name for each snapshot, and one name for all other documents.
 */
function groupName({ version, snapshot }: Partial<Pick<PlanSection<unknown>, 'version' | 'snapshot'>>): string {
  if (version !== undefined) return `versions ${version}`;
  return snapshot === undefined ? '' : `snapshot ${snapshot}`;
}

function finderIn<T extends { readonly url: string }>(sections: readonly PlanSection<T>[]) {
  const found = new Map<string, T>();
  const rest = (function* () {
    for (const { list } of sections) yield* list();
  })();
  return (url: string): T | undefined => {
    while (!found.has(url)) {
      const { value } = rest.next();
      if (!value) break;
      found.set(value.url, value);
    }
    return found.get(url);
  };
}

function inMemory(document: Omit<ServedDocument, 'sha256' | 'size'>, bytes: Buffer): OpenableDocument {
  const body: OpenBody = {
    bytes: () => bytes,
    // `end` is inclusive, as in `createReadStream`.
    stream: ({ start = 0, end = bytes.length - 1 }) => Readable.from(chunksOf(bytes.subarray(start, end + 1))),
    size: () => bytes.length,
    close: () => {},
  };
  return { ...document, sha256: sha256(bytes), size: bytes.length, open: () => body };
}

/** Chunks of a fixed size give equal compressed bytes for equal bodies. */
const CHUNK = 1 << 16;

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}
