/**
 * Runs git on untrusted repositories, so that git runs no other program. A repository's configuration can name commands
 * (gitconfig(5)). Missing objects can cause downloads. Replacements, grafts and commit graphs can show other commits.
 */
import { execFileSync, spawn } from 'node:child_process';
import { devNull } from 'node:os';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { megabytes } from '../../core/diagnostics/words.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { reasonOf, systemCode } from '../files/system-errors.ts';

export interface GitPlace {
  readonly folder: string;
  /** The name of the repository in messages. */
  readonly name: string;
  /** The git directories. By default, git searches for a repository in `folder`, then in its parent folders. */
  readonly directories?: { readonly GIT_DIR: string; readonly GIT_OBJECT_DIRECTORY?: string };
}

/** git inherits only these GIT_ variables, because the others can select a repository or change settings. */
const ALLOWED_VARIABLES = ['GIT_EXEC_PATH', 'GIT_CEILING_DIRECTORIES', 'GIT_DISCOVERY_ACROSS_FILESYSTEM'];

/** Variables for git (git(1), "Environment Variables"). Before version 2.45, git ignores GIT_NO_LAZY_FETCH. */
const SAFE_ENVIRONMENT = {
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

/** Overrides repository settings that can run commands or change which commits git shows. */
const SAFE_SETTINGS = [
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
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('GIT_') || ALLOWED_VARIABLES.includes(name),
  );
  return { ...Object.fromEntries(kept), ...SAFE_ENVIRONMENT, ...directories };
}

/**
 * The folders of other users that git may read, from the user's setting `safe.directory`. All other settings of the
 * user are ignored.
 */
const trustedFolders = lazily(() =>
  userSetting(['--get-all', 'safe.directory'], { ...process.env, GIT_DIR: devNull })
    .split('\n')
    .filter((folder) => folder !== '' && !folder.includes('\0'))
    .flatMap((folder) => ['-c', `safe.directory=${folder}`]),
);

export function throwNotRepository({ name }: GitPlace, reason: string): never {
  return fail(finding('not-a-repository', { folder: name, reason: reason === '' ? 'git gives no reason' : reason }));
}

/** The maximum size of git's output, in bytes. Output of this size fits into a JavaScript string. */
const OUTPUT_BYTES = 250_000_000;

/** The default time limit for git in milliseconds. 0 means no limit. */
const QUESTION_MS = 60_000;

export function git(place: GitPlace, args: readonly string[], timeout = QUESTION_MS): string {
  return tryGit(place, args, timeout) ?? throwNotRepository(place, '');
}

/** Returns undefined if git fails without a message, as with --quiet. `timeout` is in milliseconds. */
export function tryGit(place: GitPlace, args: readonly string[], timeout = QUESTION_MS): string | undefined {
  rejectUnreadable(place, args);
  try {
    return execFileSync('git', [...trustedFolders(), ...SAFE_SETTINGS, ...args], {
      cwd: place.folder,
      env: environment(place.directories),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: OUTPUT_BYTES,
      timeout,
      killSignal: 'SIGKILL',
    });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return throwNotRepository(place, 'git is not installed, or there is no such folder');
    if (code === 'ETIMEDOUT') return fail(finding('git-timeout', { folder: place.name, seconds: timeout / 1000 }));
    if (code === 'ENOBUFS') return throwNotRepository(place, tooMuchOutput('git prints'));
    if (code !== undefined) return throwNotRepository(place, reasonOf(error));
    if (!(error instanceof Error && 'stderr' in error)) throw error;
    const reason = errorReason(String(error.stderr));
    return reason === '' ? undefined : throwNotRepository(place, reason);
  }
}

/**
 * Fails if an argument contains NUL, because no program can receive this argument. Git gave it in an earlier answer.
 */
function rejectUnreadable(place: GitPlace, args: readonly string[]): void {
  const texts = [...args, ...Object.values(place.directories ?? {})];
  if (texts.some((text) => text.includes('\0'))) throwNotRepository(place, 'git gives an answer that cannot be read');
}

/** A clone with the filter `tree:0` contains only the folders of the checked-out commit. */
const PARTIAL_HINT = '; if this is a partial clone, run "git fetch --refetch --no-filter" in it first';

function errorReason(errors: string): string {
  if (errors.includes('lacks these prerequisite commits')) return 'the bundle lacks older commits that it refers to';
  const lines = errors
    .trim()
    .split('\n')
    .filter((line) => !/^(?:warning|hint): /.test(line));
  const reason = /^fatal: (.*)$/m.exec(errors)?.[1] ?? lines.at(-1) ?? '';
  const text = reason.replace(/^error: /, '').replace(/\.$/, '');
  return text.startsWith('unable to read tree') ? text + PARTIAL_HINT : text;
}

function tooMuchOutput(what: string): string {
  return `${what} more than ${megabytes(OUTPUT_BYTES)}`;
}

const ERROR_CHARACTERS = 1 << 16;

export function startGit(place: GitPlace, args: readonly string[], input = '') {
  rejectUnreadable(place, args);
  const child = spawn('git', [...SAFE_SETTINGS, ...args], { cwd: place.folder, env: environment(place.directories) });
  child.once('error', () => {});
  if (child.pid === undefined)
    throwNotRepository(place, 'git is not installed, or the system cannot start more programs');
  // A broken repository can end git before git has read its input. Missing output shows the error.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (errors.length < ERROR_CHARACTERS) errors += text;
  });
  const ended = new Promise<{ status: number | null; reason: string }>((resolve) => {
    child.once('close', (status, signal) => {
      const killed = signal === null ? '' : `git was ended by the signal ${signal}`;
      resolve({ status, reason: errorReason(errors) || killed });
    });
  });
  return { child, ended };
}

export async function readOutput(
  place: GitPlace,
  args: readonly string[],
  take: (text: string) => void,
): Promise<void> {
  const { child, ended } = startGit(place, args);
  let size = 0;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const chunk of child.stdout) {
    size += chunk.length;
    if (size > OUTPUT_BYTES) {
      child.kill();
      return throwNotRepository(place, tooMuchOutput('its history takes'));
    }
    take(decoder.decode(chunk, { stream: true }));
  }
  take(decoder.decode());
  const { status, reason } = await ended;
  if (status !== 0) throwNotRepository(place, reason);
}

export function gitSetting(name: string): string {
  return userSetting(['--get', name], process.env);
}

function userSetting(args: readonly string[], env: NodeJS.ProcessEnv): string {
  try {
    return execFileSync('git', ['config', ...args], {
      encoding: 'utf8',
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: QUESTION_MS,
      killSignal: 'SIGKILL',
    }).trim();
  } catch {
    return '';
  }
}
