/** `gridpress archive`: for each revision the complete tree, its sources and how to cite it, as one file of known bytes. */

import { join } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { plural, shortId } from '../../core/diagnostics/words.ts';
import { sha256 } from '../../core/model/digest.ts';
import { asText } from '../../core/model/json.ts';
import { epochSeconds } from '../../core/model/revision.ts';
import { storedObject } from '../../core/registry/registry.ts';
import { archiveName } from '../../core/tree/archive-name.ts';
import { VERSION } from '../../system/files/package-version.ts';
import { shownPath } from '../../system/files/shown-path.ts';
import { progress } from '../../system/terminal/progress.ts';
import { checkApart, checkInNoTree } from '../../system/trees/output-place.ts';
import type { SourceOptions } from '../sources/load-sources.ts';
import { indexAtRevisionOrDate } from '../sources/resolve-revision.ts';
import { type Archive, type ArchiveFolder, openArchives } from './archive-folder.ts';
import { type ArchiveSources, loadArchiveSources } from './archived-sources.ts';
import { archivedTree } from './archived-tree.ts';
import { BAG_FILES } from './bag.ts';
import { type PackedFile, packArchive } from './bag-writer.ts';
import { type Citation, citationFile, citationOf, citeText } from './citation.ts';
import { crateText } from './ro-crate.ts';

export interface ArchiveOptions extends SourceOptions {
  /** Identifiers, beginnings of them, dates, or `head`; the head when there are none. */
  readonly revisions: readonly string[];
  readonly all: boolean;
  readonly out: string;
  readonly sign?: string | undefined;
  readonly showsProgress: boolean;
}

export interface ArchiveResult {
  readonly out: string;
  /** Newest first, each with whether it was made now or was there already. */
  readonly archives: readonly (Archive & { readonly isWritten: boolean })[];
}

/** Reads every file, and replays the history. */
export async function archive(options: ArchiveOptions): Promise<ArchiveResult> {
  const { out, registry, revisions, all, sign, showsProgress } = options;
  if (all && revisions.length > 0) fail(finding('archive-all-and-some', { revisions }));
  checkApart(out, registry);
  checkInNoTree(out);
  const sources = loadArchiveSources(options);
  const indexes = chosenRevisions(sources, options);
  const folder = openArchives(out);
  const shown = progress('Archiving revision', indexes.length, showsProgress && indexes.length > 1);
  const archives: ArchiveResult['archives'][number][] = [];
  try {
    for (const index of indexes) {
      shown.at(archives.length);
      archives.push(
        await archiveOne({ sources, folder, index, sign, showsProgress: showsProgress && indexes.length === 1 }),
      );
    }
    return { out: shownPath(out), archives };
  } finally {
    shown.end();
    folder.close();
  }
}

/** Newest first, each once. Of all, those after which there is a registry. */
function chosenRevisions({ history }: ArchiveSources, { revisions, all }: ArchiveOptions): number[] {
  if (all) return [...history.revisions.keys()].filter((index) => history.states[index]).reverse();
  const chosen = (revisions.length > 0 ? revisions : ['head']).map((given) => indexAtRevisionOrDate(history, given));
  for (const index of chosen) {
    if (!history.states[index]) fail(finding('archive-nothing', { id: history.revisions[index]?.id ?? '' }));
  }
  return [...new Set(chosen)].sort((a, b) => b - a);
}

interface Task {
  readonly sources: ArchiveSources;
  readonly folder: ArchiveFolder;
  readonly index: number;
  readonly sign: string | undefined;
  readonly showsProgress: boolean;
}

async function archiveOne(task: Task): Promise<ArchiveResult['archives'][number]> {
  const { sources, folder, index, sign, showsProgress } = task;
  const { history, store, configuration } = sources;
  const header = history.revisions[index];
  const state = history.states[index];
  if (!header || !state) throw new Error(`there is nothing at ${index}`);
  const grid = storedObject(store, state.body.handle);
  const citation = citationOf(configuration, grid, header);
  const name = archiveName(asText(grid['uid']), header.id);
  const archived = sources.archived(index);
  const known = folder.find(name);
  const isRight = known?.sources === archived.digest && (known.signed || sign === undefined);
  if (known && isRight && folder.isWhole(known)) return { ...known, isWritten: false };

  const tree = await archivedTree({
    sources,
    revision: header.id,
    sourcesDigest: archived.digest,
    folder: join(folder.stage, 'tree'),
    sign,
    showsProgress,
  });
  try {
    const payload = [...citationFiles(citation, tree.digest), ...archived.files, ...tree.files];
    const modified = epochSeconds(header.date);
    const info = { ...citation, grid: asText(grid['uid']), agent: `gridpress ${VERSION}` };
    const files = packArchive(folder.stage, { name, modified, info, payload }, showsProgress);
    const made = {
      revision: header.id,
      date: citation.date,
      serial: tree.serial,
      name,
      signed: sign !== undefined,
      digest: tree.digest,
      sources: archived.digest,
      ...files,
    };
    folder.add(made);
    return { ...made, isWritten: true };
  } finally {
    tree.close();
  }
}

function citationFiles(citation: Citation, digest: string): PackedFile[] {
  return Object.entries({
    [BAG_FILES.citation]: citationFile(citation),
    [BAG_FILES.cite]: citeText(citation, digest),
    [BAG_FILES.crate]: crateText(citation, digest),
  }).map(([name, text]) => {
    const content = Buffer.from(text);
    return { name, sha256: sha256(content), size: content.length, content };
  });
}

export function describeArchives({ out, archives }: ArchiveResult): string {
  const lines = archives.map(({ isWritten, tar, gzip, revision, digest }) => {
    const said = isWritten ? '' : ' (was there already)';
    return `${shortId(revision)}  ${tar.file}  ${bytes(tar.size)}, compressed ${bytes(gzip.size)}, digest ${digest}${said}\n`;
  });
  const made = archives.filter(({ isWritten }) => isWritten).length;
  const others = archives.length - made;
  return `${lines.join('')}Archived ${plural(made, 'revision')} in ${out}${others > 0 ? `; ${others} there already` : ''}.\n`;
}

function bytes(size: number): string {
  return plural(size, 'byte');
}
