import { existsSync } from 'node:fs';
import { Failure, type Finding, finding } from '../../core/diagnostics/finding.ts';
import type { Palette } from '../../core/diagnostics/palette.ts';
import { shortId } from '../../core/diagnostics/words.ts';
import type { Counts } from '../../core/history/touches.ts';
import { describeDifferences } from '../revisions/describe-history.ts';
import { type DiffResult, diff } from '../revisions/diff.ts';
import { listSources, revisionFiles } from '../sources/registry-files.ts';
import type { Published } from './publish-options.ts';

interface RegistryChanges {
  readonly text: string;
  readonly counts: Counts | undefined;
  readonly findings: readonly Finding[];
}

/** The maximum numbers of printed resources, and of printed fields per resource. `gridpress diff` prints all. */
const SHOWN = { resources: 20, fields: 5 };

/** Returns an empty text if the registry or one of the two revisions is missing. */
export async function registryChanges(
  registry: string | undefined,
  { previous, revision, serial = 0 }: Pick<Published, 'previous' | 'revision' | 'serial'>,
  palette: Palette,
): Promise<RegistryChanges> {
  if (registry === undefined || !existsSync(registry)) return { text: '', counts: undefined, findings: [] };
  const newer = newerRevisions(registry, revision, serial);
  const findings = newer > 0 ? [finding('publish-older-than-registry', { registry, revision, newer })] : [];
  const compared =
    previous === undefined || previous === revision ? undefined : await diffOf(registry, previous, revision);
  const text = compared ? describeDifferences(compared.changes, palette, SHOWN) : '';
  return { text, counts: compared?.counts, findings };
}

/** Counts the revisions after the tree's revision. Returns 0 if the registry does not contain this revision. */
function newerRevisions(registry: string, revision: string, serial: number): number {
  try {
    const files = revisionFiles(listSources({ registry }));
    return files.some((file) => file.endsWith(`-${shortId(revision)}.yaml`)) ? files.length - serial : 0;
  } catch (error) {
    if (error instanceof Failure) return 0;
    throw error;
  }
}

async function diffOf(registry: string, from: string, to: string): Promise<DiffResult | undefined> {
  try {
    return await diff({ registry, from, to });
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
