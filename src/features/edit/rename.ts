import { join } from 'node:path';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { plural } from '../../core/diagnostics/words.ts';
import {
  isAtOrBelow,
  isNodePath,
  joinPath,
  lastSegment,
  pathAbove,
  subjectAt,
} from '../../core/model/resource-path.ts';
import { isUuid, uidProblem } from '../../core/model/uid.ts';
import { fileOfResource } from '../../core/registry/layout.ts';
import { UID_CODES } from '../../core/registry/rules.ts';
import { editedSource, editing } from './apply-edits.ts';
import { findResource, rejectGrid, resourcesOf } from './find-resource.ts';
import {
  changeFiles,
  describeNextStep,
  describeRecording,
  type EditableSources,
  type EditOptions,
  type Recorded,
  type StagedEdit,
} from './pending-edit.ts';
import type { Source } from './site-sources.ts';

export interface RenameOptions extends EditOptions {
  readonly given: string;
  readonly newUid: string;
}

export interface Renamed extends Recorded {
  readonly from: string;
  readonly to: string;
  readonly files: readonly string[];
  /**
   * The renamed resource and its successor, as `REMOVED=STAYING`, for the option `record --successor`. Undefined for a
   * resource with nodes, whose new uid `record` finds itself.
   */
  readonly successor?: string;
  readonly isWritten: boolean;
}

/** Moves the file of a resource, and all files of resources below it. */
export function rename(options: RenameOptions): Renamed {
  return editing(options, (sources, stage) => renameIn(sources, { ...options, stage }));
}

function renameIn(sources: EditableSources, { given, newUid, ...options }: RenameOptions & StagedEdit): Renamed {
  const { subject, body } = findResource(given, 'all', sources);
  rejectGrid(subject);
  const { path, kind } = subject;
  const oldUid = lastSegment(path);
  if (isUuid(oldUid)) fail(finding('rename-uuid', { given, newName: newUid }));
  const problem = uidProblem(newUid, kind, sources.configuration.node_uid);
  if (problem) fail(finding(UID_CODES[problem], { uid: newUid }));
  const newPath = joinPath(pathAbove(path), newUid);
  const all = resourcesOf('all', sources);
  if (all.some((each) => each.subject.path === newPath)) fail(finding('rename-taken', { path: newPath }));
  // A file system that ignores case would replace the old files by the new ones, and then remove them.
  if (newUid.toLowerCase() === oldUid.toLowerCase())
    fail(
      finding('usage', {
        problem: `The uids "${newUid}" and "${oldUid}" differ only by case.`,
        hint: 'Nothing was written. Rename the resource to a third uid first.',
      }),
    );
  const after = { ...body, uid: newUid, ...(body['name'] === oldUid ? { name: newUid } : {}) };
  const moved = all.filter((each) => isAtOrBelow(each.subject.path, path));
  const written = moved.map((each): Source => {
    const old = fileOfResource(each.subject);
    const file = fileOfResource(subjectAt(newPath + each.subject.path.slice(path.length), sources.kinds));
    const isRenamed = each.subject.path === path;
    const text = isRenamed
      ? editedSource({ subject, before: body, after }, sources).text
      : new TextDecoder().decode(sources.folder.read(old));
    return { file, text, movedFrom: old };
  });
  const files = written.map(({ file }) => join(options.registry, file));
  const hasNodes = moved.some((each) => isNodePath(each.subject.path));
  const successor = hasNodes ? {} : { successor: `${path}=${newPath}` };
  const renamed = { from: `/${path}`, to: `/${newPath}`, files, ...successor, isWritten: options.dryRun !== true };
  const removed = moved.map((each) => fileOfResource(each.subject));
  const successors = [`${path}=${newPath}`];
  return { ...renamed, ...changeFiles(sources, options, { written, removed, successors }) };
}

export function describeRenamed(renamed: Renamed): string {
  const { from, to, files, successor, isWritten } = renamed;
  const what = `${from} to ${to} (${plural(files.length, 'file')})`;
  if (!isWritten)
    return `Nothing was written. Without --dry-run, this command renames ${what}${describeRecording(renamed)}.\n`;
  const succession = successor === undefined ? '' : ` --successor ${successor}`;
  return `Renamed ${what}.\n${describeNextStep(renamed, succession)}`;
}
