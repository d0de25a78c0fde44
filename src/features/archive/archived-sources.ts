/**
 * Returns the registry files of a revision, with the history up to this revision. Later revisions do not change the
 * result.
 */

import { hash } from 'node:crypto';
import { fail, failAll, finding } from '../../core/diagnostics/finding.ts';
import { contentsDigest } from '../../core/history/contents-digest.ts';
import { graphAt } from '../../core/history/graph.ts';
import { historyAt } from '../../core/history/history-at.ts';
import type { History, RecordedChange } from '../../core/history/replay.ts';
import { type ResourceChange, readRevisionFile, writeRevisionFile } from '../../core/history/revision-file.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { fieldChangesFrom } from '../../core/model/differences/difference.ts';
import { sha256 } from '../../core/model/digest.ts';
import { byCodeUnit, itemsIn, type Json } from '../../core/model/json.ts';
import { subjectAt } from '../../core/model/resource-path.ts';
import { type BodyStore, resourceAt, resourcesIn } from '../../core/model/state.ts';
import { assertDefined, itemAt } from '../../core/platform/lookups.ts';
import { fileOfResource, REGISTRY_FOLDER, revisionFileName } from '../../core/registry/layout.ts';
import { shownFile, storedObject } from '../../core/registry/registry.ts';
import { encodeYaml } from '../../core/registry/yaml/write-yaml.ts';
import { digestOfFiles } from '../../system/files/read-folder.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { choicesOf } from '../build/build-options.ts';
import { loadCheckedSources, type SourceOptions, type Sources } from '../sources/load-sources.ts';
import { type PublicSources, publicDigest, publicSources } from '../sources/public-sources.ts';
import { revisionFiles } from '../sources/registry-files.ts';
import { BAG_FILES, type PackedFile } from './bag.ts';

const CONFIGURATION = 'gridpress.yaml';

/**
 * Archives omit snapshots, because each revision has its own archive. Archives omit compressed files, because their
 * bytes depend on the Node.js build.
 */
const ARCHIVED = { snapshots: 'none', versionLinks: 'none', precompressed: false } as const;

/** An archived tree includes the whole history, even if the configuration sets a history start. */
export function archivedChoices({ history }: Pick<Configuration, 'history'>) {
  return history?.since === undefined ? ARCHIVED : { ...ARCHIVED, since: 'all' };
}

export interface ArchivedSources {
  readonly files: readonly PackedFile[];
  /** The digest of the registry. The manifest of the archived tree contains this digest. */
  readonly digest: string;
}

export interface ArchiveSources extends PublicSources {
  /** Returns the registry files of the revision with this index. Equal files share one text object. */
  readonly sourcesAt: (index: number) => ArchivedSources;
}

type Text = Omit<PackedFile, 'name'>;

export function loadArchiveSources(options: SourceOptions): ArchiveSources {
  const recorded = loadCheckedSources(options);
  const sources = publicSources(recorded, options);
  const { history, store, configurationBytes } = sources;
  const isWhole = sources.history === recorded.history;
  const revisions = isWhole ? revisionTexts(recorded) : publicRevisionTexts(sources);
  const bodies = new Map<number, Text>();
  const bodyText = (handle: number) => {
    const known = bodies.get(handle) ?? packed(Buffer.from(encodeYaml(storedObject(store, handle))));
    bodies.set(handle, known);
    return known;
  };
  const configuration = packed(configurationBytes);
  const sourcesAt = (index: number): ArchivedSources => {
    const files = new Map<string, Text>();
    for (const [path, { body }] of resourcesIn(history.states[index] ?? null))
      files.set(fileOfResource(subjectAt(path, history.kinds)), bodyText(body.handle));
    for (const [i, { id }] of graphAt(history, index).revisions.entries()) {
      const text = revisions.get(id);
      if (text) files.set(revisionFileName(i + 1, id), text);
    }
    const sorted = [...files].sort(([a], [b]) => byCodeUnit(a, b));
    const digests = sorted.map(([file, { sha256 }]) => [file, Buffer.from(sha256, 'hex').toString('base64')] as const);
    const choices = choicesOf(archivedChoices(sources.configuration));
    const state = { ...sources, history: historyAt(history, index), worktree: history.states[index] ?? null };
    const below = (file: string) => `${BAG_FILES.sources}/${file}`;
    return {
      files: [
        { name: below(CONFIGURATION), ...configuration },
        ...sorted.map(([file, text]) => ({ name: below(`${REGISTRY_FOLDER}/${file}`), ...text })),
      ],
      digest: isWhole
        ? digestOfFiles([configurationBytes.toString('latin1'), ...choices], digests)
        : publicDigest(state, choices),
    };
  };
  return { ...sources, sourcesAt };
}

/** Renders revision files from the public history, because the original files contain private fields. */
function publicRevisionTexts({ history, store }: PublicSources): Map<string, Text> {
  const contents: string[] = [];
  return new Map(
    history.revisions.map((header, index) => {
      const changes = itemAt(history.changes, index).map((change) => statedChange(change, index, history, store));
      const past = itemAt(history.parents, index).map((parent) => itemAt(contents, parent));
      contents.push(contentsDigest(header, changes, past));
      const file = { header: { ...header, contents: itemAt(contents, index) }, changes };
      return [header.id, packed(Buffer.from(writeRevisionFile(file)))];
    }),
  );
}

function statedChange(change: RecordedChange, index: number, { states }: History, store: BodyStore): ResourceChange {
  const { path, action, successor } = change;
  switch (action) {
    case 'added': {
      const { body } = assertDefined(resourceAt(itemAt(states, index), path));
      return { action, path, value: storedObject(store, body.handle) };
    }
    case 'removed':
      return { action, path, successor };
    case 'touched':
      return { action, path };
    case 'updated':
    case 'replaced': {
      const fields: Json = JSON.parse(store.get(assertDefined(change.fields)));
      return { action: 'updated', path, fields: itemsIn(fields).flatMap(fieldChangesFrom) };
    }
    default:
      return action satisfies never;
  }
}

/** Serializes each revision again. To save memory, keeps a text only if it differs from its revision file. */
function revisionTexts({ folder, digestOf }: Sources): Map<string, Text> {
  const check = packagedChecks('revision');
  const read = (file: string): Uint8Array => {
    const bytes = folder.read(file);
    if (hash('sha256', bytes, 'base64') !== digestOf(file))
      fail(finding('read-failed', { file: shownFile(folder, file), reason: 'it changed meanwhile' }));
    return bytes;
  };
  return new Map(
    revisionFiles(folder).map((file) => {
      const bytes = read(file);
      const revision = readRevisionFile(shownFile(folder, file), bytes, check);
      if (revision.findings) return failAll(revision.findings);
      const content = Buffer.from(writeRevisionFile(revision.value));
      const text = packed(content);
      return [revision.value.header.id, content.equals(bytes) ? { ...text, content: () => read(file) } : text];
    }),
  );
}

function packed(content: Uint8Array): Text {
  return { sha256: sha256(content), size: content.length, content };
}
