/**
 * Creates a git repository with the history of a registry, which grows from 500 to about 1,000 nodes: with updates,
 * additions, removals, and merged branches.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { isJsonObject, type Json, type JsonObject } from '../../src/core/model/json.ts';
import { biosVersion, CLUSTER_UID, cluster, grid, mac, node, serial, site } from './hardware.ts';
import { type Random, randomFrom } from './random.ts';

const GRID = 'testgrid';
const SITES = ['aa', 'bb', 'cc', 'dd', 'ee'] as const;
const START = Date.UTC(2020, 0, 1) / 1000;
const DAY = 86_400;
/** Each group of this many commits ends with one on a side branch, one on the main line, and their merge. */
const MERGE_EVERY = 20;

interface Size {
  readonly commits: number;
  readonly firstNodes: number;
  readonly lastNodes: number;
}

/** Creates a bare repository at `folder`. The commits pass through a file, because they can exceed the longest string. */
export function makeRepository(folder: string, size: Size): void {
  const commits = `${folder}.commits`;
  try {
    withFile(commits, 'w', (file) => {
      const stream = new CommitStream(size, (text) => writeFileSync(file, text));
      for (let i = 1; i < size.commits; i++) stream.commit(i);
    });
    git(['init', '--quiet', '--bare', '--initial-branch=main', folder]);
    withFile(commits, 'r', (file) => git(['-C', folder, 'fast-import', '--quiet'], file));
    git(['-C', folder, 'repack', '-adq']);
  } finally {
    rmSync(commits, { force: true });
  }
}

function withFile(path: string, flags: 'r' | 'w', use: (file: number) => void): void {
  const file = openSync(path, flags);
  try {
    use(file);
  } finally {
    closeSync(file);
  }
}

function git(parameters: readonly string[], input: number | 'ignore' = 'ignore'): void {
  const { status, stderr } = spawnSync('git', parameters, { stdio: [input, 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`git ${parameters.join(' ')} failed: ${String(stderr)}`);
}

/** The commits in the format of `git fast-import`. */
class CommitStream {
  readonly #random: Random = randomFrom(222);
  readonly #nodes = new Map<string, JsonObject>();
  readonly #size: Size;
  readonly #write: (text: string) => void;
  #number = 0;
  #side: string[] = [];

  constructor(size: Size, write: (text: string) => void) {
    this.#size = size;
    this.#write = write;
    const files = [file('', GRID, grid(GRID))];
    for (const uid of SITES) {
      files.push(file(`sites/${uid}/`, uid, site(uid)));
      files.push(file(`sites/${uid}/clusters/${CLUSTER_UID}/`, CLUSTER_UID, cluster()));
    }
    this.#commit(0, 'main', '', [...files, ...this.#added(size.firstNodes)]);
  }

  commit(i: number): void {
    const phase = i % MERGE_EVERY;
    const isLast = i === this.#size.commits - 1;
    if (phase === MERGE_EVERY - 3 && !isLast && i + 2 < this.#size.commits) {
      this.#side = this.#added(4);
      this.#commit(i, 'side', 'from refs/heads/main\n', this.#side);
    } else if (phase === MERGE_EVERY - 1 && this.#side.length > 0) {
      this.#commit(i, 'main', 'merge refs/heads/side\n', this.#side);
      this.#side = [];
    } else {
      const { commits, firstNodes, lastNodes } = this.#size;
      const wanted = firstNodes + Math.round(((lastNodes - firstNodes) * i) / commits);
      const added = this.#side.length > 0 ? [] : this.#added(Math.max(0, wanted - this.#nodes.size));
      this.#commit(i, 'main', '', [...this.#updated(20 + this.#random.whole(30)), ...added, ...this.#removed(i)]);
    }
  }

  #commit(i: number, branch: string, parents: string, changes: readonly string[]): void {
    const message = `Revise the inventory, step ${i}\n\nWhat was found on the ${i}th day.\n`;
    const parts = [
      `commit refs/heads/${branch}\ncommitter Ada Brown <ada@example.org> ${START + i * DAY} +0100\n`,
      `data ${Buffer.byteLength(message)}\n${message}`,
      parents,
      ...changes,
      '\n',
    ];
    this.#write(parts.join(''));
  }

  #added(count: number): string[] {
    return Array.from({ length: count }, () => {
      const uid = this.#random.uuid();
      const place = SITES[this.#number % SITES.length] ?? SITES[0];
      const path = `sites/${place}/clusters/${CLUSTER_UID}/nodes/${uid}`;
      const body = node(uid, this.#random, this.#number++);
      this.#nodes.set(path, body);
      return nodeFile(path, body);
    });
  }

  #updated(count: number): string[] {
    const paths = [...this.#nodes.keys()];
    const chosen = new Set(Array.from({ length: count }, () => paths[this.#random.whole(paths.length)] ?? ''));
    return [...chosen].flatMap((path) => {
      const before = this.#nodes.get(path);
      // A node that a side branch adds does not exist on the main line yet.
      if (!before || this.#side.some((change) => change.includes(path))) return [];
      const body = this.#revised(before);
      this.#nodes.set(path, body);
      return [nodeFile(path, body)];
    });
  }

  /** A replaced part, a changed address, or new firmware. */
  #revised(body: JsonObject): JsonObject {
    const random = this.#random;
    return random.pick<() => JsonObject>([
      () => ({ ...body, storage_devices: first(body['storage_devices'], { serial: serial(random) }) }),
      () => ({ ...body, network_adapters: first(body['network_adapters'], { mac: mac(random) }) }),
      () => ({ ...body, bios: { ...objectOf(body['bios']), version: biosVersion(random) } }),
    ])();
  }

  #removed(i: number): string[] {
    if (i % 7 !== 0 || this.#side.length > 0) return [];
    const path = this.#nodes.keys().next().value ?? '';
    this.#nodes.delete(path);
    return [`D ${filePath(`${path}.json`)}\n`];
  }
}

function first(items: Json | undefined, fields: JsonObject): Json {
  return Array.isArray(items) ? [{ ...objectOf(items[0]), ...fields }, ...items.slice(1)] : [];
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function filePath(path: string): string {
  return `data/${GRID}/${path}`;
}

function file(folder: string, uid: string, body: JsonObject): string {
  return inline(`${folder}${uid}.json`, body);
}

function nodeFile(path: string, body: JsonObject): string {
  return inline(`${path}.json`, body);
}

function inline(path: string, body: JsonObject): string {
  const text = JSON.stringify(body, null, 2);
  return `M 100644 inline ${filePath(path)}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
}
