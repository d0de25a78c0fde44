/** The browser of whoever sits at this machine. */
import { spawn } from 'node:child_process';
import { printError } from './terminal.ts';

/** The program of each platform that opens what a URL is for, with the arguments before the URL. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Shows a URL, without waiting for the browser; where there is none, says so. */
export function openInBrowser(url: string): void {
  const [opener, ...before] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(opener, [...before, url], { stdio: 'ignore', detached: true });
  child.once('error', () => printError(`No browser could be opened (${opener}): go to ${url}`));
  child.unref();
}
