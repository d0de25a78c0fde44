/** Runs the compiled command line as a process. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const CLI = join(import.meta.dirname, '..', '..', '..', 'lib', 'cli.js');

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The compiled program, by default the one of this folder. */
  readonly program?: string;
  /** The Node.js executable, by default the one that runs the tests. */
  readonly node?: string;
  /** Keeps the terminal of the tests, if they have one. Default: true. */
  readonly hasTerminal?: boolean;
  /** The maximum size of written files, in KiB. */
  readonly largestFile?: number;
}

/** Removes color settings of the test's own terminal. */
function environment(env: RunOptions['env']): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _, NO_COLOR: __, GRIDPRESS_DEBUG: ___, ...rest } = process.env;
  return { ...rest, ...env };
}

/** Runs a command to its end. */
export function gridpress(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { cwd, env, program = CLI, node = process.execPath, hasTerminal = true, largestFile } = options;
  const call = [...(hasTerminal ? [] : ['setsid', '--wait']), node, program, ...args];
  const [command = '', ...rest] =
    largestFile === undefined ? call : ['bash', '-c', `ulimit -f ${largestFile} && exec "$0" "$@"`, ...call];
  return new Promise((resolve) => {
    const child = execFile(command, rest, { cwd, env: environment(env), maxBuffer: 1 << 28 }, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
  });
}

/** Starts a long-running command; the caller must kill it. */
export function startGridpress(args: readonly string[], options: RunOptions = {}): ChildProcess {
  const { cwd, env, program = CLI } = options;
  return spawn(process.execPath, [program, ...args], { cwd, env: environment(env) });
}

/** Starts a server and returns its port when it listens. */
export async function startServer(args: readonly string[], options: RunOptions = {}) {
  const child = startGridpress([...args, '--port', '0', '--json'], options);
  const said = new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      if (output.includes('\n')) resolve(output);
    });
    child.once('close', () => reject(new Error(`the server ended: ${output}`)));
  });
  const record: { readonly url: string } = JSON.parse(await said);
  const stop = async () => {
    child.removeAllListeners('close');
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, 'exit');
  };
  return { port: Number(new URL(record.url).port), said: record, stop };
}
