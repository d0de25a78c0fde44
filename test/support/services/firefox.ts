/**
 * Opens the explorer in the installed Firefox, through its own protocol Marionette: playwright-core supports only
 * patched builds of Firefox, and Debian has no geckodriver.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { vi } from 'vitest';
import { newFolder } from '../folders.ts';
import { MINUTES } from '../limits.ts';
import { needs } from '../processes/programs.ts';

const FIREFOX = '/usr/bin/firefox-esr';
export const inFirefox = needs(FIREFOX);

export interface Firefox {
  readonly goTo: (url: string) => Promise<void>;
  /** Runs the body of a function in the page and returns its result. */
  readonly run: (body: string) => Promise<unknown>;
  /** Waits until an expression is true in the page. */
  readonly until: (expression: string) => Promise<void>;
  /** Presses and releases keys one after the other. */
  readonly type: (keys: string) => Promise<void>;
  /** Errors of scripts and violations of a page's policy, as reported by the browser. */
  readonly complaints: () => Promise<unknown>;
  /** The folder for downloads. */
  readonly downloads: string;
  readonly close: () => Promise<void>;
}

export async function openFirefox(): Promise<Firefox> {
  const profile = newFolder();
  const downloads = join(profile, 'downloads');
  mkdirSync(downloads);
  writeFileSync(join(profile, 'user.js'), preferences(downloads));
  const child = spawn(
    FIREFOX,
    ['--headless', '--no-remote', '--profile', profile, '--marionette', '--remote-allow-system-access'],
    { env: { ...process.env, HOME: profile, MOZ_HEADLESS: '1' }, stdio: 'ignore' },
  );
  const portFile = join(profile, 'MarionetteActivePort');
  const port = await vi.waitFor(() => {
    const said = existsSync(portFile) ? readFileSync(portFile, 'utf8') : '';
    if (!/^\d+$/.test(said)) throw new Error('Firefox does not listen yet');
    return Number(said);
  }, START);
  const send = await marionette(port);
  // Firefox changes processes between a server and a folder and may never report the new page, so this asks for it.
  await send('WebDriver:NewSession', { capabilities: { alwaysMatch: { pageLoadStrategy: 'none' } } });
  const run = (script: string) => send('WebDriver:ExecuteScript', { script, args: [] }).then(resultIn);
  return {
    run,
    downloads,
    goTo: async (url) => {
      for (const page of ['about:blank', url])
        await vi.waitFor(async () => {
          await send('WebDriver:Navigate', { url: page });
          await arrived(run, page);
        }, LONG);
    },
    until: async (expression) => {
      await vi.waitFor(async () => {
        if ((await run(`return Boolean(${expression})`)) !== true) throw new Error(`not yet: ${expression}`);
      }, LONG);
    },
    type: async (keys) => {
      const actions = [...keys].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      await send('WebDriver:PerformActions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
    },
    complaints: async () => {
      await send('Marionette:SetContext', { value: 'chrome' });
      const said = await run(COMPLAINTS);
      await send('Marionette:SetContext', { value: 'content' });
      return said;
    },
    close: () => closed(child),
  };
}

/** Waits for a page with a time limit. A change of processes can lose the question, so it is repeated. */
async function arrived(run: Firefox['run'], url: string): Promise<void> {
  const body = `return document.readyState === 'complete' && location.href.startsWith(${JSON.stringify(url)})`;
  await vi.waitFor(async () => {
    if ((await run(body)) !== true) throw new Error(`not yet at ${url}`);
  }, ARRIVAL);
}

/** Later answers belong to a page that was left. */
const ANSWER_MS = 60_000;
const START = { timeout: MINUTES, interval: 100 };
/** Shorter than the time limit of a test, so that the error names the awaited expression. */
const LONG = { timeout: MINUTES / 2, interval: 100 };
const ARRIVAL = { timeout: ANSWER_MS, interval: 100 };

function preferences(downloads: string): string {
  const all = {
    'marionette.port': 0,
    'browser.download.folderList': 2,
    'browser.download.dir': downloads,
    'browser.download.alwaysOpenPanel': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'app.normandy.enabled': false,
    'browser.startup.page': 0,
  };
  return Object.entries(all)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('');
}

/** Errors of pages have the page's address, and so do violations of its policy. */
const COMPLAINTS = `return Services.console.getMessageArray()
  .filter((each) => each instanceof Ci.nsIScriptError && /^(http|file):/.test(each.sourceName || each.innerWindowID && 'http:'))
  .filter((each) => (each.flags & Ci.nsIScriptError.warningFlag) === 0)
  .map((each) => each.category + ': ' + each.errorMessage)`;

type Send = (name: string, parameters: object) => Promise<unknown>;

/** A connection: JSON texts, each after its length in bytes and a colon. */
async function marionette(port: number): Promise<Send> {
  const socket = connect(port, '127.0.0.1');
  const waiting = new Map<number, (answer: readonly unknown[]) => void>();
  let last = 0;
  const greeted = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    onMessages(socket, (message) => {
      if (!Array.isArray(message)) return resolve();
      const [, id, ...answer] = message;
      waiting.get(id)?.(answer);
      waiting.delete(id);
    });
  });
  await greeted;
  return (name, parameters) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      const most = name === 'WebDriver:NewSession' ? MINUTES : ANSWER_MS;
      const timer = setTimeout(() => reject(new Error(`${name}: no answer`)), most);
      waiting.set(id, ([error, value]) => {
        clearTimeout(timer);
        if (error) reject(new Error(`${name}: ${JSON.stringify(error)}`));
        else resolve(value);
      });
      const text = JSON.stringify([0, id, name, parameters]);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
}

function onMessages(socket: Socket, tell: (message: unknown) => void): void {
  let held = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    for (let colon = held.indexOf(':'); colon > 0; colon = held.indexOf(':')) {
      const end = colon + 1 + Number(held.toString('latin1', 0, colon));
      if (held.length < end) return;
      const text = held.toString('utf8', colon + 1, end);
      held = held.subarray(end);
      tell(JSON.parse(text));
    }
  });
}

function resultIn(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'value' in answer ? answer.value : undefined;
}

/** Waits for the end of Firefox, because it uses its folder until then. */
function closed(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill();
  });
}
