import { join } from 'node:path';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { firstNames } from '../../core/diagnostics/message.ts';
import { plural } from '../../core/diagnostics/words.ts';
import { isPlainName } from '../../core/exports/snippet-context.ts';
import { byNaturalOrder } from '../../core/model/json.ts';
import { lastSegment, pathAbove } from '../../core/model/resource-path.ts';
import { isUuid } from '../../core/model/uid.ts';
import { fileOfResource } from '../../core/registry/layout.ts';
import type { Worktree } from '../sources/load-worktree.ts';
import { editing } from './apply-edits.ts';
import { type FoundResource, findResource, rejectGrid, resourcesOf } from './find-resource.ts';
import {
  changeFiles,
  describeNextStep,
  describeRecording,
  type EditableSources,
  type EditOptions,
  type Recorded,
  type StagedEdit,
} from './pending-edit.ts';
import { resourcesNamed } from './set-fields.ts';

export interface RetireOptions extends EditOptions {
  /** One query, or paths, uids, names and patterns of names. */
  readonly words: readonly string[];
  /** The successor: a resource in the same collection as the removed resource. */
  readonly successor?: string | undefined;
}

export interface Retired extends Recorded {
  readonly names: readonly string[];
  /** The files of the removed resources and of all resources below them. */
  readonly files: readonly string[];
  /** The removed resource and its successor, as `REMOVED=STAYING`, for the option `record --successor`. */
  readonly successor?: string;
  readonly isWritten: boolean;
}

export function retire(options: RetireOptions): Retired {
  return editing(options, (sources, stage) => retireFrom(sources, { ...options, stage }));
}

function retireFrom(sources: EditableSources, options: RetireOptions & StagedEdit): Retired {
  const retired = resourcesNamed(options.words, sources);
  for (const { subject } of retired) rejectGrid(subject);
  const succession = options.successor === undefined ? undefined : successionOf(retired, options.successor, sources);
  const paths = new Set(retired.map(({ subject }) => subject.path));
  const isRemoved = (path: string): boolean => path !== '' && (paths.has(path) || isRemoved(pathAbove(path)));
  const removed = resourcesOf('all', sources).filter(({ subject }) => isRemoved(subject.path));
  const files = removed.map(({ subject }) => fileOfResource(subject));
  return {
    names: retired.map(({ name }) => name).sort(byNaturalOrder),
    files: files.map((file) => join(options.registry, file)),
    ...(succession ? { successor: succession.map(uniqueName).join('=') } : {}),
    isWritten: options.dryRun !== true,
    ...changeFiles(sources, options, { removed: files, successors: succession ? [succession.join('=')] : [] }),
  };
}

/** Returns the paths of the removed resource and of its successor. Fails unless they are in the same collection. */
function successionOf([first, ...others]: readonly FoundResource[], given: string, sources: Worktree) {
  if (!first || others.length > 0) {
    const hint = 'Nothing was removed. Retire the resources one by one.';
    return fail(finding('usage', { problem: '--successor needs exactly one resource to remove.', hint }));
  }
  const successor = findResource(given, [first.subject.kind.name], sources);
  const [from, to] = [first.subject.path, successor.subject.path];
  if (to === from || pathAbove(to) !== pathAbove(from))
    fail(finding('retire-successor', { name: first.name, successor: successor.name }));
  return [from, to];
}

/** Returns the uid if it is a UUID. Other uids can occur at several sites. */
function uniqueName(path: string): string {
  const uid = lastSegment(path);
  return isUuid(uid) ? uid : path;
}

export function describeRetired(retired: Retired): string {
  const { names, files, successor, isWritten } = retired;
  const below = files.length > names.length ? ` and everything below ${names.length === 1 ? 'it' : 'them'}` : '';
  const what = files.length === 1 ? `${files[0]}` : `${firstNames(names)}${below} (${plural(files.length, 'file')})`;
  if (!isWritten)
    return `Nothing was removed. Without --dry-run, this command removes ${what}${describeRecording(retired)}.\n`;
  const succession = successor === undefined ? '' : ` --successor ${successor}`;
  // A shell could run a part of another name.
  const message = names.every(isPlainName) ? `Retire ${firstNames(names)}` : undefined;
  return `Removed ${what}.\n${describeNextStep(retired, succession, message)}`;
}
