/** The program without the documents about all nodes, exports, API description and explorer, to measure their cost. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GRIDPRESS } from './measure.ts';

/** Modules that replace the plan of these documents with an empty one. */
const EMPTY_PARTS = {
  'plan-nodes.js': 'export const nodePlan = () => ({ facets: () => [], *documents() {}, *aliases() {} });\n',
  'plan-exports.js': 'export function* exportDocuments() {}\n',
  'plan-explorer.js': 'export function* explorerDocuments() {}\n',
  'plan-description.js': 'export function* descriptionDocuments() {}\n',
} as const;

/** Copies the compiled program without these documents into a folder. Returns the path of its command line. */
export function programWithoutLists(folder: string): string {
  const home = dirname(dirname(GRIDPRESS));
  mkdirSync(folder, { recursive: true });
  for (const name of ['lib', 'schemas', 'package.json'])
    cpSync(join(home, name), join(folder, name), { recursive: true });
  symlinkSync(join(home, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries(EMPTY_PARTS)) writeFileSync(join(folder, 'lib/core/tree/plan', name), text);
  return join(folder, 'lib', 'cli.js');
}
