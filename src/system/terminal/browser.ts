import { spawn } from 'node:child_process';
import { printError } from './terminal.ts';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a URL without waiting for the browser. Prints the URL if no browser can be opened. */
export function openInBrowser(url: string): void {
  const [opener, ...before] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(opener, [...before, url], { stdio: 'ignore', detached: true });
  child.once('error', () => printError(`No browser could be opened (${opener}): go to ${url}`));
  child.unref();
}
