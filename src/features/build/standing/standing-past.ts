/**
 * What the tree that stands there tells of the past, and a build need not render again: versions, what snapshots hold, and
 * what tells of one resource and has kept its time.
 * Where the mark of a revision is what it was, only the coming and going of a resource since then changes its versions.
 * The lines of the manifest are held against its digest; of the files, as in a build that finds nothing to do, the sizes
 * and times.
 */
import { readSync } from 'node:fs';
import { join } from 'node:path';
import { rawFormOf } from '../../../core/api/endpoints.ts';
import type { Publication } from '../../../core/api/publication.ts';
import { snapshotAt, snapshotUrl, versionAt, versionUrl } from '../../../core/api/urls.ts';
import { lineageOf } from '../../../core/history/graph.ts';
import { itemAt } from '../../../core/platform/certain.ts';
import { runningDigest } from '../../../core/platform/digests.ts';
import { MANIFEST_FILE } from '../../../core/tree/layout.ts';
import { LINE_SEPARATOR } from '../../../core/tree/manifest/manifest.ts';
import { endOf, type ManifestFrame } from '../../../core/tree/manifest/manifest-frame.ts';
import { linesIn } from '../../../core/tree/manifest/read-manifest.ts';
import type { PlannedDocument } from '../../../core/tree/plan/planned.ts';
import { unlessRefused } from '../../../system/files/system-errors.ts';
import { fileSource, frameInFile, withFile } from '../../../system/trees/manifest-summary.ts';
import { type MarkedBuild, pastDigestOf } from './past-marks.ts';
import { isAliasLine, isAsListed, linesInTurn, pathIn } from './standing-lines.ts';

export interface StandingPast {
  /** The line of the manifest of a document that stands there as it is to be; undefined of any other. */
  readonly lineOf: (document: PlannedDocument) => string | undefined;
}

/** The documents of one revision, in bytes of the manifest: its versions, or its snapshot. */
interface Span {
  readonly start: number;
  end: number;
}

/** Undefined where nothing can be taken over. The tree must stay there as long as it is asked. */
export function standingPast(tree: string, build: MarkedBuild): StandingPast | undefined {
  const { publication, hosting } = build;
  const { history } = publication;
  const manifest = join(tree, MANIFEST_FILE);
  const frame = unlessRefused(() => frameInFile(manifest));
  const { past, revision: head = '' } = frame?.summary ?? {};
  const marked = past && history.indexOf.get(past.revision);
  if (!frame || marked === undefined || past?.digest !== pastDigestOf(build, marked)) return undefined;
  const spans = unlessRefused(() => spansIn(manifest, frame));
  if (!spans) return undefined;

  // What is shown of the time before a bound depends on all that is told.
  const isTold = publication.bound?.isTold ?? (() => true);
  const lineage = lineageOf(history, marked)
    .filter(isTold)
    .map((at) => itemAt(history.revisions, at).id);
  const spansOfLineage = new Set(lineage.flatMap((id) => [versionUrl('', id), snapshotUrl(id)]));
  const linesAt = lineReader(manifest, spans);
  // What a head that was not recorded brought or took away, nothing else tells.
  const unrecorded = head === past.revision ? [] : [...linesAt(versionUrl('', head)).keys()].map(subjectOf);
  const mayHaveChanged = comingAndGoing(publication, marked, new Set(unrecorded));
  const rawLine = linesInTurn(manifest, frame, (path) => rawFormOf(path) !== undefined);
  const pastLine = ({ url, cache, pastOf }: PlannedDocument): string | undefined => {
    if (pastOf !== undefined) return mayHaveChanged(pastOf) ? undefined : rawLine(url);
    const span = cache === 'immutable' ? spanOf(url) : undefined;
    if (span === undefined || !spansOfLineage.has(span)) return undefined;
    return snapshotAt(url) === undefined && mayHaveChanged(subjectOf(url)) ? undefined : linesAt(span).get(url);
  };
  return {
    lineOf: (document) => {
      const { url, modified } = document;
      const line = pastLine(document);
      return line !== undefined && isAsListed(tree, url, line, modified, hosting.variants) ? line : undefined;
    },
  };
}

/** By what the documents of one revision are found: a snapshot, or the versions of all subjects. */
function spanOf(url: string): string | undefined {
  const snapshot = snapshotAt(url);
  if (snapshot !== undefined) return snapshotUrl(snapshot);
  const version = versionAt(url);
  return version && versionUrl('', version.id);
}

/** The path of the resource or collection that a version is of. */
function subjectOf(url: string): string {
  return versionAt(url)?.path ?? url.slice(1);
}

/** Whether a resource was there at a revision and is not now, or the other way round. */
function comingAndGoing({ histories, head }: Publication, index: number, unsure: ReadonlySet<string>) {
  return (path: string) => unsure.has(path) || histories.isAlive(path, index) !== histories.isAlive(path, head);
}

/** Undefined where the manifest is not what its digest says, or lists them in another order. */
function spansIn(manifest: string, frame: ManifestFrame): ReadonlyMap<string, Span> | undefined {
  return withFile(manifest, (file) => {
    const digest = runningDigest();
    const spans = new Map<string, Span>();
    let [last, at]: [string | undefined, number] = [undefined, frame.start];
    for (const line of linesIn(fileSource(file), frame, [digest])) {
      const end = at + Buffer.byteLength(line);
      const name = isAliasLine(line) ? undefined : spanOf(pathIn(line));
      const span = name === undefined ? undefined : spans.get(name);
      if (span && name === last) span.end = end;
      else if (name !== undefined && !span) spans.set(name, { start: at, end });
      last = name;
      at = end + LINE_SEPARATOR.length;
    }
    digest.update(endOf(frame).files);
    return digest.end() === frame.summary.digest ? spans : undefined;
  });
}

/** Gives the lines of a span by their paths. What was asked for last is kept. */
function lineReader(manifest: string, spans: ReadonlyMap<string, Span>) {
  let [known, lines]: [string, ReadonlyMap<string, string>] = ['', new Map()];
  return (name: string): ReadonlyMap<string, string> => {
    if (name === known) return lines;
    const span = spans.get(name);
    const texts = span ? textOfSpan(manifest, span).split(LINE_SEPARATOR) : [];
    [known, lines] = [name, new Map(texts.map((line) => [pathIn(line), line]))];
    return lines;
  };
}

function textOfSpan(manifest: string, { start, end }: Span): string {
  const bytes = Buffer.allocUnsafe(end - start);
  const read = withFile(manifest, (file) => readSync(file, bytes, 0, bytes.length, start));
  return bytes.toString('utf8', 0, read);
}
