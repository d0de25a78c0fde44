/** A registry whose files take their places in one step: what an import or a record has begun there, or left. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import { openStage, recover, type Stage, stageOf } from '../../system/trees/staging.ts';
import { checkRegistry } from './registry-files.ts';

/** The stage of a registry's history. Whoever has it is the only one that adds revisions. */
export function openHistory(registry: string): Stage {
  checkRegistry(registry);
  return openStage(join(registry, HISTORY_FOLDER));
}

/** Puts a registry back where none is in its place: an import that was killed between its two renames has left it beside. */
export function recoverRegistry(registry: string): void {
  if (!existsSync(registry)) recover(stageOf(registry));
}
