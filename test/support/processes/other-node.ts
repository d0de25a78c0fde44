/** Other versions of Node.js, to run the program with. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from '../folders.ts';

const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** Returns the executable from the npm package `node`, or the reason why it is not available. */
export async function nodeOf(version: string): Promise<{ readonly node: string } | { readonly missing: string }> {
  if (version === process.versions.node.split('.')[0]) return { node: process.execPath };
  const prefix = newFolder();
  // Removes the settings of the npm process that runs this test.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  const args = ['install', '--prefix', prefix, '--no-save', '--no-audit', '--no-fund', `node@${version}`];
  try {
    await promisify(execFile)(NPM, args, { cwd: prefix, env });
    const node = join(prefix, 'node_modules', '.bin', 'node');
    const { stdout } = await promisify(execFile)(node, ['--version']);
    return stdout.startsWith(`v${version}.`) ? { node } : { missing: `npm brought Node ${stdout.trim()}` };
  } catch (error) {
    return { missing: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) };
  }
}
