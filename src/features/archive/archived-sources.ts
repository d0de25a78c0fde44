/**
 * The sources of a revision, from the history alone: the registry as of it, and the files of the revisions that it
 * stands on. What was recorded later changes no byte of them.
 */

import { hash } from 'node:crypto';
import { fail, failAll } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
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
import { BAG_FILES } from './bag.ts';
import type { PackedFile } from './bag-writer.ts';

const REGISTRY = 'registry-data';
const CONFIGURATION = 'gridpress.yaml';

/**
 * What the tree of an archive is built with: no snapshots, which are archived themselves, no links that another tree has
 * served, and nothing that zlib or brotli compresses, since their bytes depend on the build of Node.
 */
const ARCHIVED = { snapshots: 'none', versionLinks: 'none', precompressed: false } as const;

/** The same for a configuration: where hosts are kept from older history, archives have it all the same. */
export function archivedChoices({ history }: Pick<Configuration, 'history'>) {
  return history?.since === undefined ? ARCHIVED : { ...ARCHIVED, since: 'all' };
}

export interface ArchivedSources {
  readonly files: readonly PackedFile[];
  /** What a manifest states of a tree that `build` makes from them with the choices of `archivedChoices`. */
  readonly digest: string;
}

export interface ArchiveSources extends Sources {
  /** Those of a revision, by its index. What several have in common is made once. */
  readonly archived: (index: number) => ArchivedSources;
}

type Text = Omit<PackedFile, 'name'>;

/** Fails where something is wrong with the sources, or where there are changes that the history does not know. */
export function loadArchiveSources(options: SourceOptions): ArchiveSources {
  const sources = loadCheckedSources(options);
  const { history, store, configurationBytes } = sources;
  const revisions = revisionTexts(sources);
  const bodies = new Map<number, Text>();
  const bodyText = (handle: number) => {
    const known = bodies.get(handle) ?? textOf(encodeYaml(storedObject(store, handle)));
    bodies.set(handle, known);
    return known;
  };
  const configuration = packed(configurationBytes);
  const archived = (index: number): ArchivedSources => {
    const files = new Map<string, Text>();
    for (const [path, { body }] of resourcesIn(history.states[index] ?? null))
      files.set(fileOfResource(subjectAt(path, history.kinds)), bodyText(body.handle));
    for (const [i, { id }] of graphAt(history, index).revisions.entries()) {
      const text = revisions.get(id);
      if (text) files.set(revisionFileName(i + 1, id), text);
    }
    const sorted = [...files].sort(([a], [b]) => byCodeUnit(a, b));
    const digests = sorted.map(([file, { sha256 }]) => [file, base64(sha256)] as const);
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
  return { ...sources, archived };
}

/**
 * The text of each revision, by its identifier, as its file would be written today. All of them are as long as the history:
 * where a file is written so, its bytes are read again when they are packed.
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

function textOf(text: string): Text {
  return packed(Buffer.from(text));
}

function packed(content: Uint8Array): Text {
  return { sha256: sha256(content), size: content.length, content };
}

function base64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}
