import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { lastSegment, pathAbove } from '../../core/model/resource-path.ts';
import { fileOfResource } from '../../core/registry/layout.ts';
import { failToWrite } from '../../system/files/system-errors.ts';
import { type AddOptions, loadToEdit, recordIfRequested } from './add.ts';
import { findResource } from './find-resource.ts';

export interface RetireOptions extends AddOptions {
  /** The path, uid or name of the resource. */
  readonly given: string;
  /** A resource in the same collection that takes the place of the removed resource. */
  readonly successor?: string | undefined;
}

export interface Retired {
  readonly name: string;
  readonly file: string;
  /** `REMOVED=STAYING`, in the form that `record --successor` requires. */
  readonly successor?: string;
  readonly isWritten: boolean;
  readonly recorded?: string;
}

export function retire(options: RetireOptions): Retired {
  const sources = loadToEdit(options);
  const { subject, name } = findResource(options.given, ['node', 'flavor'], sources);
  const { path } = subject;
  const successor =
    options.successor === undefined ? undefined : findResource(options.successor, [subject.kind.name], sources);
  const newPath = successor?.subject.path;
  if (successor && (newPath === path || pathAbove(newPath ?? '') !== pathAbove(path)))
    fail(finding('retire-successor', { name, successor: successor.name }));
  const file = join(options.registry, fileOfResource(subject));
  const pair = newPath === undefined ? undefined : `${lastSegment(path)}=${lastSegment(newPath)}`;
  const retired = { name, file, ...(pair === undefined ? {} : { successor: pair }) };
  if (options.dryRun === true) return { ...retired, isWritten: false };
  try {
    rmSync(file);
  } catch (error) {
    failToWrite(file, error);
  }
  return { ...retired, isWritten: true, ...recordIfRequested(options, pair === undefined ? [] : [pair]) };
}

export function describeRetired({ name, file, successor, isWritten, recorded }: Retired): string {
  if (!isWritten) return `Nothing was removed; it would be ${file}.\n`;
  const succession = successor === undefined ? '' : ` --successor ${successor}`;
  const next =
    recorded === undefined ? `Record it: gridpress record -m "Retire ${name}"${succession}` : `Recorded ${recorded}.`;
  return `Removed ${file}.\n${next}\n`;
}
