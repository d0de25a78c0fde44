/** Measures how soon a running `gridpress dev` shows a saved file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { GRIDPRESS, type Trial } from './measure.ts';
import { program } from './row.ts';

/** Saves a note in a node's file, and requests the node until its document contains the note. */
const SAVE_AND_ASK = `
  const { readFileSync, writeFileSync } = require('node:fs');
  const { get } = require('node:http');
  const [file, url, note] = process.argv.slice(1);
  const text = readFileSync(file, 'utf8').replace(/\\nbench_note: .*/, '');
  writeFileSync(file, text.trimEnd() + '\\nbench_note: ' + note + '\\n');
  const ask = () =>
    get(url, async (response) => {
      let body = '';
      for await (const chunk of response) body += chunk;
      if (JSON.parse(body).bench_note !== note) setTimeout(ask, 10);
    });
  ask();`;

export async function showing(registry: string): Promise<Trial> {
  const args = ['dev', '--registry', registry, '--snapshots', 'none', '--port', '0', '--json'];
  const child = spawn(process.execPath, [GRIDPRESS, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  process.once('exit', () => child.kill());
  const [line] = await once(createInterface(child.stdout), 'line');
  const { url }: { readonly url: string } = JSON.parse(String(line));
  child.stdout.destroy();
  child.unref();
  const files = readdirSync(registry, { recursive: true, encoding: 'utf8' }).sort();
  const node = files.find((file) => /nodes.[^/\\]+\.yaml$/.test(file)) ?? '';
  let count = 0;
  return () => {
    const note = `change ${++count}`;
    return program('node', '-e', SAVE_AND_ASK, join(registry, node), url + node.slice(0, -5), note);
  };
}
