/** The program without the documents about all nodes together, the exports, the description and the explorer: what these cost is what it saves. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GRIDPRESS } from './measure.ts';

/** The parts of the plan that list these documents, as modules that list none. */
const EMPTY_PARTS = {
  'plan-nodes.js': 'export const nodePlan = () => ({ *documents() {}, *aliases() {} });\n',
  'plan-exports.js': 'export function* exportDocuments() {}\n',
  'plan-explorer.js': 'export function* explorerDocuments() {}\n',
  'plan-description.js': 'export function* descriptionDocuments() {}\n',
} as const;

/** Copies the compiled program without them into a folder, and returns its command line's file. */
export function programWithoutLists(folder: string): string {
  const home = dirname(dirname(GRIDPRESS));
  mkdirSync(folder, { recursive: true });
  for (const name of ['lib', 'schemas', 'package.json'])
    cpSync(join(home, name), join(folder, name), { recursive: true });
  symlinkSync(join(home, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries(EMPTY_PARTS)) writeFileSync(join(folder, 'lib/core/tree/plan', name), text);
  return join(folder, 'lib', 'cli.js');
}
