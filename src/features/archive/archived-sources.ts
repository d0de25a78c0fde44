/** The registry of a revision, and the files of its history. Later revisions do not change these bytes. */

import { hash } from 'node:crypto';
import { fail, failAll, finding } from '../../core/diagnostics/finding.ts';
import { graphAt } from '../../core/history/graph.ts';
import { readRevisionFile, writeRevisionFile } from '../../core/history/revision-file.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import { sha256 } from '../../core/model/digest.ts';
import { byCodeUnit } from '../../core/model/json.ts';
import { subjectAt } from '../../core/model/resource-path.ts';
import { resourcesIn } from '../../core/model/state.ts';
import { fileOfResource, revisionFileName } from '../../core/registry/layout.ts';
import { shownFile, storedObject } from '../../core/registry/registry.ts';
import { encodeYaml } from '../../core/registry/yaml/write-yaml.ts';
import { digestOfFiles } from '../../system/files/read-folder.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { choicesOf } from '../build/build-options.ts';
import { loadCheckedSources, type SourceOptions, type Sources } from '../sources/load-sources.ts';
import { revisionFiles } from '../sources/registry-files.ts';
import { BAG_FILES, type PackedFile } from './bag.ts';

const REGISTRY = 'registry-data';
const CONFIGURATION = 'gridpress.yaml';

/**
 * Build options of archived trees. Snapshots belong to the archives of their revisions. Links from other trees do not
 * concern an archive. The output of zlib and brotli depends on the build of Node.
 */
const ARCHIVED = { snapshots: 'none', versionLinks: 'none', precompressed: false } as const;

/** Returns the build options with the whole history, even if the configuration sets a history start. */
export function archivedChoices({ history }: Pick<Configuration, 'history'>) {
  return history?.since === undefined ? ARCHIVED : { ...ARCHIVED, since: 'all' };
}

export interface ArchivedSources {
  readonly files: readonly PackedFile[];
  /** The digest of the registry, as in the manifest of a tree that is built with `archivedChoices`. */
  readonly digest: string;
}

export interface ArchiveSources extends Sources {
  /** Returns the registry files of a revision, by its index. Revisions use the same text object for equal files. */
  readonly sourcesAt: (index: number) => ArchivedSources;
}

type Text = Omit<PackedFile, 'name'>;

export function loadArchiveSources(options: SourceOptions): ArchiveSources {
  const sources = loadCheckedSources(options);
  const { history, store, configurationBytes } = sources;
  const revisions = revisionTexts(sources);
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
    const others = [configurationBytes.toString('latin1'), ...choicesOf(archivedChoices(sources.configuration))];
    const below = (file: string) => `${BAG_FILES.sources}/${file}`;
    return {
      files: [
        { name: below(CONFIGURATION), ...configuration },
        ...sorted.map(([file, text]) => ({ name: below(`${REGISTRY}/${file}`), ...text })),
      ],
      digest: digestOfFiles(others, digests),
    };
  };
  return { ...sources, sourcesAt: sourcesAt };
}

/**
 * Returns the text of each revision file as this version writes it, by revision. To save memory, `content` reads a file
 * again if its bytes equal this text.
 */
function revisionTexts({ folder, digestOf }: Sources): Map<string, Text> {
  const check = packagedChecks()('revision');
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
