/** An emulator: its installation, its start, and its differences from the real service. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { SendRequest } from '../../src/core/api/http-exchange.ts';
import type { Host } from '../../src/core/hosts/host.ts';
import type { HostTree } from '../support/trees/host-tree.ts';
import type { EmulatorDifference } from './outcome-words.ts';

export interface Running {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export interface Emulator {
  readonly host: Host;
  /** A description of the emulator. */
  readonly title: string;
  /** The required npm packages. */
  readonly packages: readonly string[];
  readonly start: (tree: HostTree, tools: Tools) => Promise<Running>;
  readonly differences: readonly EmulatorDifference[];
  /** Changes requests so that the emulator survives them, or behaves like the documented service. */
  readonly asking?: (ask: SendRequest) => SendRequest;
}

export interface Tools {
  /** The folder with the installed packages. */
  readonly folder: string;
  /** A folder for files of the emulator. */
  readonly scratch: string;
}

/** Skips requests that would crash the emulator. */
export function without(deadly: RegExp): (ask: SendRequest) => SendRequest {
  return (ask) => async (request) =>
    deadly.test(request.path) ? { status: NOT_ASKED, headers: {}, body: new Uint8Array() } : await ask(request);
}

/** No server uses this status. */
const NOT_ASKED = 0;

/** A percent sign without a valid escape, or the escape of a byte that is not UTF-8. */
export const BROKEN_ESCAPE = /%(?:ff|(?![0-9A-Fa-f]{2}))/;
/** The same, but only in the path. */
export const BROKEN_PATH = new RegExp(`^[^?]*${BROKEN_ESCAPE.source}`);

export const ENDS_AT_BROKEN_PATHS: EmulatorDifference = {
  capability: 'not-found',
  why: 'A path with a broken escape ends it: it is not asked for one.',
  covers: /%\S* answers 0, /,
};

const CACHE = join(tmpdir(), 'gridpress-emulators');
const INSTALL_TIMEOUT_MS = 10 * 60_000;

/** Installs packages in a folder of their own, once. */
export function install(packages: readonly string[]): string {
  const folder = join(CACHE, packages.join('+').replaceAll(/[^A-Za-z0-9.+-]/g, '_'));
  const installed = join(folder, 'installed');
  if (existsSync(installed)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  // Only the package `node` needs its install script; other install scripts need missing libraries.
  const needsScripts = packages.some((each) => each.startsWith('node@'));
  const options = ['--no-audit', '--no-fund', '--no-save', ...(needsScripts ? [] : ['--ignore-scripts'])];
  execFileSync('npm', ['install', ...options, ...packages], {
    cwd: folder,
    stdio: 'pipe',
    timeout: INSTALL_TIMEOUT_MS,
  });
  writeFileSync(installed, '');
  return folder;
}

/** Creates a folder for files of an emulator. */
export function scratchFolder(): string {
  return mkdtempSync(join(tmpdir(), 'gridpress-emulator-'));
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return typeof address === 'object' && address !== null ? address.port : 0;
}

export interface Starting {
  readonly command: readonly [program: string, ...rest: string[]];
  readonly cwd: string;
  readonly url: string;
  /** The line that it prints when it is ready. */
  readonly ready: RegExp;
}

/** Starts a program and waits for its ready line. */
export async function startProgram({ command, cwd, url, ready }: Starting): Promise<Running> {
  const [program, ...rest] = command;
  const child = spawn(program, rest, {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CI: '1', NO_COLOR: '1', WRANGLER_SEND_METRICS: 'false' },
  });
  await readiness(child, ready);
  return { url, stop: () => stopped(child) };
}

function readiness(child: ChildProcess, ready: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      if (ready.test(said)) resolve();
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it was ready:\n${said}`)));
  });
}

/** Some programs print their ready line before they listen, so this polls the port. */
export async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await setTimeout(100);
  }
  throw new Error(`nothing listens on port ${port}`);
}

/** Ends a program and all its child processes. */
function stopped(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.pid === undefined || child.exitCode !== null) {
      resolve();
      return;
    }
    child.removeAllListeners('exit');
    child.once('exit', () => resolve());
    process.kill(-child.pid, 'SIGKILL');
  });
}
