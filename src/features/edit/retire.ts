import { join } from 'node:path';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { plural } from '../../core/diagnostics/words.ts';
import { isPlainName } from '../../core/exports/snippet-context.ts';
import { isAtOrBelow, lastSegment, pathAbove } from '../../core/model/resource-path.ts';
import { isUuid } from '../../core/model/uid.ts';
import { fileOfResource } from '../../core/registry/layout.ts';
import type { Worktree } from '../sources/load-worktree.ts';
import { editing } from './apply-edits.ts';
import { findBelowGrid, findResource, resourcesOf } from './find-resource.ts';
import { changeFiles, describeNextStep, type EditOptions, type Recorded, type StagedEdit } from './pending-edit.ts';

export interface RetireOptions extends EditOptions {
  readonly given: string;
  /** The successor: a resource in the same collection as the removed resource. */
  readonly successor?: string | undefined;
}

export interface Retired extends Recorded {
  readonly name: string;
  /** The files of the removed resource and of all resources below it. */
  readonly files: readonly string[];
  /** The removed resource and its successor, as `REMOVED=STAYING`, for the option `record --successor`. */
  readonly successor?: string;
  readonly isWritten: boolean;
}

export function retire(options: RetireOptions): Retired {
  return editing(options, (sources, stage) => retireFrom(sources, { ...options, stage }));
}

function retireFrom(sources: Worktree, options: RetireOptions & StagedEdit): Retired {
  const { subject, name } = findBelowGrid(options.given, sources);
  const { path } = subject;
  const successor =
    options.successor === undefined ? undefined : findResource(options.successor, [subject.kind.name], sources);
  const newPath = successor?.subject.path;
  if (successor && (newPath === path || pathAbove(newPath ?? '') !== pathAbove(path)))
    fail(finding('retire-successor', { name, successor: successor.name }));
  const below = resourcesOf('all', sources).filter((each) => isAtOrBelow(each.subject.path, path));
  const files = below.map((each) => fileOfResource(each.subject));
  const pair = newPath === undefined ? undefined : `${uniqueName(path)}=${uniqueName(newPath)}`;
  const shown = files.map((file) => join(options.registry, file));
  const isWritten = options.dryRun !== true;
  const retired = { name, files: shown, ...(pair === undefined ? {} : { successor: pair }), isWritten };
  const successors = newPath === undefined ? [] : [`${path}=${newPath}`];
  return { ...retired, ...changeFiles(sources, options, { removed: files, successors }) };
}

/** Returns the uid if it is a UUID. Other uids can occur at several sites. */
function uniqueName(path: string): string {
  const uid = lastSegment(path);
  return isUuid(uid) ? uid : path;
}

export function describeRetired(retired: Retired): string {
  const { name, files, successor, isWritten } = retired;
  const what = files.length === 1 ? `${files[0]}` : `${name} and everything below it (${plural(files.length, 'file')})`;
  if (!isWritten) return `Nothing was removed. Without --dry-run, this command removes ${what}.\n`;
  const succession = successor === undefined ? '' : ` --successor ${successor}`;
  // A shell could run a part of another name.
  const message = isPlainName(name) ? `Retire ${name}` : undefined;
  return `Removed ${what}.\n${describeNextStep(retired, succession, message)}`;
}
