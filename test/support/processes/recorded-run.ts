/** Records the file system calls of a program below a folder with strace, for all processes and threads, in order. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { CLI } from './cli.ts';
import {
  type Change,
  type Image,
  liveImage,
  type Node,
  nodeIn,
  type Recording,
  type Step,
  sizeIn,
  stepsTo,
} from './disk-model.ts';
import { type Needs, unless } from './programs.ts';

const TRACED = [
  ...['openat', 'creat', 'write', 'pwrite64', 'writev', 'pwritev', 'ftruncate', 'truncate', 'fallocate'],
  ...['fsync', 'fdatasync', 'syncfs', 'sync', 'sync_file_range', 'copy_file_range', 'sendfile', 'utimensat'],
  ...['rename', 'renameat', 'renameat2', 'link', 'linkat', 'symlink', 'symlinkat'],
  ...['unlink', 'unlinkat', 'rmdir', 'mkdir', 'mkdirat'],
];
/** The PATH without the replacements for system programs. */
const REAL_PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((each) => each !== join(import.meta.dirname, '..', 'bin'))
  .join(delimiter);
const LONGEST_STRING = 1 << 26;

/** Containers may forbid strace. */
export function needsStrace(): Needs {
  return unless(spawnSync('strace', ['-f', 'true'], { stdio: 'ignore' }).status === 0, 'strace does not work here');
}

/** Runs a command in a folder and returns its changes. The command must succeed. */
export async function recorded(args: readonly string[], folder: string, PATH = REAL_PATH): Promise<Recording> {
  const root: Node = { kind: 'folder', target: '' };
  const before = stepsTo(folder, root);
  const file = `${folder}.trace`;
  const strace = ['-f', '-y', '-xx', '-s', String(LONGEST_STRING), '-o', file, '-e', `trace=${TRACED.join()}`];
  const program = ['env', `PATH=${PATH}`, process.execPath, CLI];
  await new Promise<void>((resolve, reject) => {
    execFile('strace', [...strace, ...program, ...args], { cwd: folder }, (error, _, stderr) =>
      error ? reject(new Error(stderr)) : resolve(),
    );
  });
  const lines = readFileSync(file, 'latin1').split('\n');
  rmSync(file);
  return { root, begin: before.length, steps: [...before, ...stepsOf(wholeCalls(lines), folder, root, before)] };
}

interface Call {
  readonly name: string;
  /** Strings as bytes, other arguments as printed. */
  readonly args: readonly string[];
  readonly result: string;
}

/** Interrupted calls count at their end. */
function wholeCalls(lines: readonly string[]): Call[] {
  const begun = new Map<string, string>();
  return lines.flatMap((line) => {
    const [, pid = '', text = ''] = /^(\d+) +(.*)$/s.exec(line) ?? [];
    if (text.endsWith(' <unfinished ...>')) {
      begun.set(pid, text.slice(0, -' <unfinished ...>'.length));
      return [];
    }
    const rest = /^<\.\.\. \w+ resumed>(.*)$/s.exec(text)?.[1];
    const [, name, args, result] =
      /^(\w+)\((.*)\) += (.*)$/s.exec(rest === undefined ? text : begun.get(pid) + rest) ?? [];
    if (name === undefined || args === undefined || result === undefined || result.startsWith('-1 ')) return [];
    return [{ name, args: splitArgs(args), result: unescaped(result) }];
  });
}

/** Splits at commas outside of brackets. Strings contain no commas, because every byte is escaped. */
function splitArgs(args: string): string[] {
  const split: string[] = [];
  let [depth, last] = [0, 0];
  for (let i = 0; i <= args.length; i++) {
    if ('[{<'.includes(args[i] ?? ' ')) depth++;
    else if (']}>'.includes(args[i] ?? ' ')) depth--;
    else if (i === args.length || (args[i] === ',' && depth === 0)) {
      split.push(unescaped(args.slice(last, i).trim()));
      last = i + 1;
    }
  }
  return split;
}

const unescaped = (text: string) =>
  text.replace(/\\x([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Converts the calls below a folder to steps, after the steps that create the existing files. */
function stepsOf(calls: readonly Call[], folder: string, root: Node, before: readonly Step[]): Step[] {
  const steps: Step[] = [];
  const live = liveImage(root);
  for (const step of before) if (step.what !== 'sync') live.make(step);
  const sync = (node: Node | undefined) => steps.push({ what: 'sync', node });
  const add = (change: Change) => {
    live.make(change);
    steps.push(change);
  };
  const at = (path: string) => {
    if (path !== folder && !path.startsWith(`${folder}/`)) return undefined;
    return nodeIn(live.image, path.slice(folder.length));
  };
  const doing = changesBelow({ image: live.image, folder, at, add, sync });
  for (const { name, args, result } of calls) {
    const [first = '', second = '', third = '', fourth = ''] = args;
    const isOurs = args.some((each) => at(pathOf(each)) !== undefined);
    const call = doing[name];
    if (call) call([first, second, third, fourth], result);
    else if (isOurs) throw new Error(`what does ${name} do?`);
  }
  return steps;
}

interface Below {
  readonly image: Image;
  readonly folder: string;
  readonly at: (path: string) => Node | undefined;
  readonly add: (change: Change) => void;
  readonly sync: (node: Node | undefined) => void;
}

type Calls = Readonly<Record<string, (args: readonly [string, string, string, string], result: string) => void>>;

function changesBelow(below: Below): Calls {
  const { image, folder, at, add, sync } = below;
  const given = (path: string) => resolve(folder, quoted(path));
  const placeOf = (path: string) => {
    const parent = at(dirname(path));
    return parent && path !== folder ? { folder: parent, name: basename(path) } : undefined;
  };
  const enter = (path: string, node: Node) => {
    const place = placeOf(path);
    if (place) add({ what: 'enter', ...place, node });
  };
  const leave = (path: string) => {
    const [place, node] = [placeOf(path), at(path)];
    if (place && node) add({ what: 'leave', ...place, node });
  };
  const syncOne: Calls[string] = ([file]) => {
    const node = at(pathOf(file));
    if (node) sync(node);
  };
  const positions = new Map<string, number>();
  const write = (file: string, bytes: Buffer, offset?: number) => {
    const node = at(pathOf(file));
    if (!node) return;
    const from = offset ?? positions.get(numberOf(file)) ?? 0;
    add({ what: 'write', node, at: from, bytes });
    if (offset === undefined) positions.set(numberOf(file), from + bytes.length);
  };
  return {
    openat: ([from, name, flags], result) => {
      const path = resolve(pathOf(from), quoted(name));
      const there = at(path);
      if (flags.includes('O_CREAT') && !there) enter(path, { kind: 'file', target: '' });
      if (flags.includes('O_TRUNC') && there) add({ what: 'cut', node: there, size: 0 });
      const end = flags.includes('O_APPEND') && there ? sizeIn(image, there) : 0;
      positions.set(numberOf(result), end);
    },
    write: ([file, bytes], result) => write(file, bytesOf(bytes).subarray(0, Number(result))),
    pwrite64: ([file, bytes, , offset], result) =>
      write(file, bytesOf(bytes).subarray(0, Number(result)), Number(offset)),
    ftruncate: ([file, size]) => {
      const node = at(pathOf(file));
      if (node) add({ what: 'cut', node, size: Number(size) });
    },
    utimensat: ([file, path, times]) => {
      const node = at(path === 'NULL' ? pathOf(file) : given(path));
      const seconds = [...times.matchAll(/tv_sec=(\d+)/g)].at(-1)?.[1];
      if (node?.kind === 'file' && seconds !== undefined) add({ what: 'time', node, seconds: Number(seconds) });
    },
    fsync: syncOne,
    fdatasync: syncOne,
    syncfs: () => sync(undefined),
    sync: () => sync(undefined),
    rename: ([path, to]) => {
      const [from, place, node] = [placeOf(given(path)), placeOf(given(to)), at(given(path))];
      if (from && place && node)
        add({ what: 'rename', from: from.folder, name: from.name, folder: place.folder, as: place.name, node });
    },
    link: ([path, to]) => {
      const node = at(given(path));
      if (node) enter(given(to), node);
    },
    symlink: ([target, path]) => enter(given(path), { kind: 'link', target: quoted(target) }),
    mkdir: ([path]) => enter(given(path), { kind: 'folder', target: '' }),
    unlink: ([path]) => leave(given(path)),
    rmdir: ([path]) => leave(given(path)),
    unlinkat: ([from, path]) => leave(resolve(pathOf(from), quoted(path))),
  };
}

/** The file descriptor as strace prints it: `17</path>`. */
const numberOf = (file: string) => file.split('<')[0] ?? '';
const quoted = (text: string) => Buffer.from(text.slice(1, -1), 'latin1').toString('utf8');
const bytesOf = (text: string) => Buffer.from(text.slice(1, -1), 'latin1');
const pathOf = (file: string) => /<(.*)>$/s.exec(file)?.[1] ?? '';
