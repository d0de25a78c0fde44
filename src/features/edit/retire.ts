/** `gridpress retire`: a node or a flavor leaves the registry, and what takes its place is said with it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { lastSegment, pathAbove } from '../../core/model/resource-path.ts';
import { fileOfResource } from '../../core/registry/layout.ts';
import { failToWrite } from '../../system/files/system-errors.ts';
import { type AddOptions, loadToEdit, recordedIfAsked } from './add.ts';
import { findResource } from './find-resource.ts';

export interface RetireOptions extends AddOptions {
  /** By its path, uid or name. */
  readonly given: string;
  /** What takes its place beside it. */
  readonly successor?: string | undefined;
}

export interface Retired {
  readonly name: string;
  readonly file: string;
  /** As `record --successor` takes it. */
  readonly successor?: string;
  readonly isWritten: boolean;
  readonly recorded?: string;
}

/** What is to go, and what takes its place. */
function found(options: RetireOptions) {
  const sources = loadToEdit(options);
  const retired = findResource(options.given, ['node', 'flavor'], sources);
  const successor =
    options.successor === undefined ? undefined : findResource(options.successor, [retired.subject.kind.name], sources);
  return { ...retired, successor };
}

export function retire(options: RetireOptions): Retired {
  const { subject, name, successor } = found(options);
  if (
    successor &&
    (successor.subject.path === subject.path || pathAbove(successor.subject.path) !== pathAbove(subject.path))
  )
    fail(finding('retire-successor', { name, successor: successor.name }));
  const file = join(options.registry, fileOfResource(subject));
  const pair = successor && `${lastSegment(subject.path)}=${lastSegment(successor.subject.path)}`;
  const retired = { name, file, ...(pair === undefined ? {} : { successor: pair }) };
  if (options.dryRun === true) return { ...retired, isWritten: false };
  try {
    rmSync(file);
  } catch (error) {
    failToWrite(file, error);
  }
  return { ...retired, isWritten: true, ...recordedIfAsked(options, pair === undefined ? [] : [pair]) };
}

export function describeRetired({ name, file, successor, isWritten, recorded }: Retired): string {
  if (!isWritten) return `Nothing was removed; it would be ${file}.\n`;
  const succession = successor === undefined ? '' : ` --successor ${successor}`;
  const next =
    recorded === undefined ? `Record it: gridpress record -m "Retire ${name}"${succession}` : `Recorded ${recorded}.`;
  return `Removed ${file}.\n${next}\n`;
}
