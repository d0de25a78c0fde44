/**
 * Runs the commands of a page in the folder that the page expects, with a git identity. Addresses of this machine replace
 * the deployment's addresses.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { newFolder } from '../support/folders.ts';
import { CLI } from '../support/processes/cli.ts';
import { writeRandomRepository } from '../support/registries/random-repository.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The deployment in the documentation. The tree in `dist` is served there. */
const DEPLOYED = 'https://api.testbed.example.org/';
/** The default address of `serve` and `dev`. */
const LOCAL = '127.0.0.1:8080';

export interface Printed {
  readonly status: number;
  /** Standard output and standard error, as a terminal shows them. */
  readonly output: string;
}

export interface Reader {
  readonly run: (script: string) => Promise<Printed>;
  /** Runs commands until the last one prints its address; it then runs until `close`. */
  readonly start: (script: string) => Promise<void>;
  readonly write: (file: string, text: string, how: 'write' | 'append') => void;
  readonly close: () => Promise<void>;
}

/** The configuration of the sample registry with three snapshots, which are enough for the tests. */
function configuration(): string {
  const files = readdirSync(join(ROOT, 'registry-data', 'history')).sort();
  const some = [0, Math.floor(files.length / 2), files.length - 1].map((i) => files[i]?.slice(7, 15));
  const text = readFileSync(join(ROOT, 'gridpress.yaml'), 'utf8');
  return text.replace(/^snapshots: all/m, `snapshots: ["${some.join('", "')}"]`);
}

/** `startingIn`: an empty folder, a folder with the sample registry, or a folder with a tree. */
export async function newReader(startingIn: string): Promise<Reader> {
  const base = newFolder();
  const home = join(base, 'testbed');
  mkdirSync(home);
  for (const folder of ['bin', 'home', 'srv', 'reference-repository']) mkdirSync(join(base, folder));
  writeFileSync(join(base, 'home', '.gitconfig'), '[user]\n  name = Ada Brown\n  email = ada@example.org\n');
  writeFileSync(join(base, 'bin', 'gridpress'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, {
    mode: 0o755,
  });
  writeRandomRepository(join(base, 'reference-repository'), 1, 12);
  const [localPort, deployedPort] = await Promise.all([freePort(), freePort()]);
  const here = join(base, 'here');
  writeFileSync(here, home);
  const env = {
    ...process.env,
    PATH: `${join(base, 'bin')}:${process.env['PATH']}:/usr/sbin`,
    HOME: join(base, 'home'),
    NO_COLOR: '1',
  };
  const started: ChildProcess[] = [];
  let isDeployed = false;

  const place = (script: string) =>
    script
      .replaceAll(/(?:server:)?\/srv\//g, `${join(base, 'srv')}/`)
      .replaceAll(DEPLOYED, `http://127.0.0.1:${deployedPort}/`)
      .replaceAll(LOCAL, `127.0.0.1:${localPort}`);
  /** Runs a script in the folder in which the last script ended. */
  const shell = (script: string) => [
    '-c',
    `exec 2>&1; cd "$(cat '${here}')"; set -eo pipefail; trap 'pwd > "${here}"' EXIT\n${place(script)}\n`,
  ];
  const spawnServer = async (args: readonly string[]) => {
    const child = spawn('bash', args, { cwd: home, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    started.push(child);
    let output = '';
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk) => {
        output += String(chunk);
        if (output.includes('http://')) resolve();
      });
      child.once('close', () => reject(new Error(`it ended: ${output}`)));
    });
  };
  const deploy = async () => {
    if (isDeployed || !existsSync(join(readFileSync(here, 'utf8').trim(), 'dist', '_manifest.json'))) return;
    isDeployed = true;
    await spawnServer(shell(`exec gridpress serve dist --port ${deployedPort}`));
  };

  const reader: Reader = {
    run: async (script) => {
      if (script.includes(DEPLOYED)) await deploy();
      return await new Promise((resolve) => {
        const child = execFile('bash', shell(script), { cwd: home, env, maxBuffer: 1 << 26 }, (_, output) =>
          resolve({ status: child.exitCode ?? -1, output: output.replaceAll(`:${localPort}`, ':8080') }),
        );
      });
    },
    start: async (script) => await spawnServer(shell(`${script} --port ${localPort}`)),
    write: (file, text, how) => {
      const path = join(readFileSync(here, 'utf8').trim(), file);
      mkdirSync(dirname(path), { recursive: true });
      if (how === 'append') appendFileSync(path, `${text}\n`);
      else writeFileSync(path, `${text}\n`);
    },
    close: async () => {
      for (const child of started) {
        if (child.exitCode !== null || child.pid === undefined) continue;
        // A negative id ends the process group: the shell and its children.
        process.kill(-child.pid);
        await once(child, 'exit');
      }
    },
  };
  if (startingIn !== 'an empty folder') {
    cpSync(join(ROOT, 'registry-data'), join(home, 'registry-data'), { recursive: true });
    writeFileSync(join(home, 'gridpress.yaml'), configuration());
  }
  if (startingIn === 'a folder with a tree') {
    if (builtTree === undefined) {
      await reader.run('gridpress build');
      builtTree = join(newFolder(), 'dist');
      copyTree(join(home, 'dist'), builtTree);
    } else copyTree(builtTree, join(home, 'dist'));
  }
  return reader;
}

/** The tree of the sample registry, which is built once for all pages. */
let builtTree: string | undefined;

/** Keeps hard links and times, so that the copy equals a built tree. */
function copyTree(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (typeof address !== 'object' || address === null) throw new Error('no port is free');
  return address.port;
}
