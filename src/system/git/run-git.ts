/**
 * Running git on repositories that others made, so that nothing runs but git itself: its configuration may name commands
 * (gitconfig(5)), a missing object makes git fetch it by such a command, and replacements, grafts and commit graphs show
 * other commits than those that the identifiers stand for. None of it is heeded here.
 */
import { execFileSync, spawn } from 'node:child_process';
import { devNull } from 'node:os';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { megabytes } from '../../core/diagnostics/words.ts';
import { reasonOf, systemCode } from '../files/system-errors.ts';

export interface GitPlace {
  readonly folder: string;
  /** How messages name the repository. */
  readonly name: string;
  /** Where git finds objects and configuration, when not by looking around `folder`. */
  readonly directories?: { readonly GIT_DIR: string; readonly GIT_OBJECT_DIRECTORY?: string };
}

/** The caller's variables that say how git works; all others say which repository, by which means, with which settings. */
const KEPT = ['GIT_EXEC_PATH', 'GIT_CEILING_DIRECTORIES', 'GIT_DISCOVERY_ACROSS_FILESYSTEM'];

/** git(1), "Environment Variables". Of GIT_NO_LAZY_FETCH versions before 2.45 know less; no protocol is allowed them either. */
const NOTHING_BUT_GIT = {
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_PROTOCOL_FROM_USER: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: devNull,
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: '',
};

/** What a repository's own configuration may say of commands and of commits, and does not get. */
const NO_SETTINGS = [
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  'core.commitGraph=false',
  'core.alternateRefsCommand=',
  'core.askPass=',
  'core.gitProxy=',
  'core.sshCommand=false',
  'credential.helper=',
  'diff.external=',
  'gpg.program=false',
  'log.showSignature=false',
  'maintenance.auto=false',
  'protocol.allow=never',
].flatMap((setting) => ['-c', setting]);

function environment(directories: GitPlace['directories']): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_') || KEPT.includes(name));
  return { ...Object.fromEntries(kept), ...NOTHING_BUT_GIT, ...directories };
}

/** The folders of other users' that this user has told git to trust: the one setting that is still heeded. */
let trusted: readonly string[] | undefined;
function trustedFolders(): readonly string[] {
  trusted ??= (gitSettings('safe.directory') ?? '')
    .split('\n')
    .filter(Boolean)
    .flatMap((folder) => ['-c', `safe.directory=${folder}`]);
  return trusted;
}

export function refuse({ name }: GitPlace, reason: string): never {
  return fail(finding('not-a-repository', { folder: name, reason }));
}

/** The most that git may print where all of it is read at once: less than a string can hold. */
const OUTPUT_BYTES = 250_000_000;

/** What git prints; it fails with git's own reason when git does. */
export function git(place: GitPlace, args: readonly string[]): string {
  return tryGit(place, args) ?? refuse(place, 'git gives no reason');
}

/** The same; undefined when git fails without a word, as it does with --quiet. */
export function tryGit(place: GitPlace, args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', [...trustedFolders(), ...NO_SETTINGS, ...args], {
      cwd: place.folder,
      env: environment(place.directories),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: OUTPUT_BYTES,
    });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return refuse(place, 'git is not installed, or there is no such folder');
    if (code === 'ENOBUFS') return refuse(place, tooMuch('git prints'));
    if (code !== undefined) return refuse(place, reasonOf(error));
    if (!(error instanceof Error && 'stderr' in error)) throw error;
    const reason = reasonIn(String(error.stderr));
    return reason === '' ? undefined : refuse(place, reason);
  }
}

/** Why git gave up: the first line that says so, or else the last. */
function reasonIn(said: string): string {
  const reason = /^fatal: (.*)$/m.exec(said)?.[1] ?? said.trim().split('\n').at(-1) ?? '';
  return reason.replace(/^error: /, '').replace(/\.$/, '');
}

function tooMuch(what: string): string {
  return `${what} more than ${megabytes(OUTPUT_BYTES)}`;
}

/** How much of what git says to people is kept. */
const SAID_CHARACTERS = 1 << 16;

export function startGit(place: GitPlace, args: readonly string[], input = '') {
  const child = spawn('git', [...NO_SETTINGS, ...args], { cwd: place.folder, env: environment(place.directories) });
  // git may end before it has read all of its input, when a repository is broken: what is missing shows on its output.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < SAID_CHARACTERS) said += text;
  });
  const ended = new Promise<{ status: number | null; reason: string }>((resolve) => {
    child.once('close', (status) => resolve({ status, reason: reasonIn(said) }));
  });
  return { child, ended };
}

/** All that a git prints that may print much, part by part. */
export async function readOutput(
  place: GitPlace,
  args: readonly string[],
  take: (text: string) => void,
  input?: string,
): Promise<void> {
  const { child, ended } = startGit(place, args, input);
  let size = 0;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const chunk of child.stdout) {
    size += chunk.length;
    if (size > OUTPUT_BYTES) {
      child.kill();
      return refuse(place, tooMuch('its history takes'));
    }
    take(decoder.decode(chunk, { stream: true }));
  }
  take(decoder.decode());
  const { status, reason } = await ended;
  if (status !== 0) refuse(place, reason);
}

/** A value of the user's git configuration; undefined when there is none. */
export function gitSetting(name: string): string | undefined {
  return userSetting(['--get', name], process.env);
}

/** All values of the user's and the system's configuration, a line each; what a repository says does not count. */
function gitSettings(name: string): string | undefined {
  return userSetting(['--get-all', name], { ...process.env, GIT_DIR: devNull });
}

function userSetting(args: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  try {
    return (
      execFileSync('git', ['config', ...args], { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] }).trim() ||
      undefined
    );
  } catch {
    return undefined;
  }
}
