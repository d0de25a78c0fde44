/**
 * Models what a power failure may leave of a folder: a list of file system calls, and the images that a disk may
 * contain at any point. Synced changes exist. Every other change may exist or not, in any order, and written data may
 * be partial. Renames are atomic, and nothing is created in a missing folder.
 */
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../src/core/model/digest.ts';
import { getOrThrow } from '../../../src/core/platform/lookups.ts';

/** A file, folder or link of the file system, whatever its names. */
export interface Node {
  readonly kind: 'file' | 'folder' | 'link';
  /** The target of a link. */
  readonly target: string;
}

export type Change =
  | { readonly what: 'enter'; readonly folder: Node; readonly name: string; readonly node: Node }
  | { readonly what: 'leave'; readonly folder: Node; readonly name: string; readonly node: Node }
  | {
      readonly what: 'rename';
      readonly from: Node;
      readonly name: string;
      readonly folder: Node;
      readonly as: string;
      readonly node: Node;
    }
  | { readonly what: 'write'; readonly node: Node; readonly at: number; readonly bytes: Buffer }
  | { readonly what: 'cut'; readonly node: Node; readonly size: number }
  | { readonly what: 'time'; readonly node: Node; readonly seconds: number };

/** A change, or a sync of a file, a folder or everything. */
export type Step = Change | { readonly what: 'sync'; readonly node: Node | undefined };

export interface Recording {
  readonly root: Node;
  /** The number of initial steps that describe the existing files, which are on the disk. */
  readonly begin: number;
  readonly steps: readonly Step[];
}

export type Kept = 'all' | 'half' | 'zeros' | 'nothing';

interface Contents {
  bytes: Buffer;
  seconds: number | undefined;
  readonly entries: Map<string, Node>;
}

export interface Image {
  readonly root: Node;
  readonly contents: Map<Node, Contents>;
}

const NO_BYTES = Buffer.alloc(0);

/** Returns the changes before a cut that may be missing on the disk. */
export function pendingAt({ begin, steps }: Recording, cut: number): Change[] {
  const pending = new Set<Change>();
  for (const step of steps.slice(begin, cut)) {
    if (step.what !== 'sync') pending.add(step);
    else
      for (const change of pending)
        if (step.node === undefined || step.node === holderOf(change)) pending.delete(change);
  }
  return [...pending];
}

/** Returns what must be synced for a change to last: the folder of a name, the file of data. */
function holderOf(change: Change): Node {
  return 'folder' in change ? change.folder : change.node;
}

/** Returns the image of a disk with all changes synced before a cut, and the others that `keeps` selects. */
export function imageAt(recording: Recording, cut: number, keeps: (pending: Change) => Kept): Image {
  const { root, steps } = recording;
  const pending = new Set(pendingAt(recording, cut));
  const image: Image = { root, contents: new Map([[root, emptyContents()]]) };
  const linked = new Set([root]);
  for (const step of steps.slice(0, cut)) {
    if (step.what === 'sync') continue;
    const kept = pending.has(step) ? keeps(step) : 'synced';
    if (kept !== 'nothing') make(image, linked, step, kept);
  }
  return image;
}

function emptyContents(): Contents {
  return { bytes: NO_BYTES, seconds: undefined, entries: new Map() };
}

/** Applies a synced change even if other changes are missing. */
function make({ contents }: Image, linked: Set<Node>, change: Change, kept: Kept | 'synced'): void {
  const of = (node: Node) => {
    const found = contents.get(node) ?? emptyContents();
    contents.set(node, found);
    return found;
  };
  if (change.what === 'write') {
    const held = of(change.node);
    const bytes = Buffer.alloc(Math.max(held.bytes.length, change.at + change.bytes.length));
    held.bytes.copy(bytes);
    const part = kept === 'half' ? change.bytes.subarray(0, change.bytes.length / 2) : change.bytes;
    bytes.set(kept === 'zeros' ? Buffer.alloc(part.length) : part, change.at);
    held.bytes = kept === 'half' ? bytes.subarray(0, change.at + part.length) : bytes;
  } else if (change.what === 'cut') {
    const bytes = Buffer.alloc(change.size);
    of(change.node).bytes.copy(bytes);
    of(change.node).bytes = bytes;
  } else if (change.what === 'time') of(change.node).seconds = change.seconds;
  else if (kept !== 'synced' && !linked.has(change.folder)) return;
  else if (change.what === 'enter') {
    of(change.folder).entries.set(change.name, change.node);
    linked.add(change.node);
  } else if (change.what === 'leave') {
    const { entries } = of(change.folder);
    if (entries.get(change.name) === change.node && of(change.node).entries.size === 0) entries.delete(change.name);
  } else {
    const [from, to] = [of(change.from).entries, of(change.folder).entries];
    const there = to.get(change.as);
    const isPossible = from.get(change.name) === change.node && !(there && of(there).entries.size > 0);
    if (kept !== 'synced' && !isPossible) return;
    if (from.get(change.name) === change.node) from.delete(change.name);
    linked.add(change.node);
    to.set(change.as, change.node);
  }
}

/** Writes the files of an image to an empty folder. */
export function writeImage({ root, contents }: Image, folder: string): void {
  const made = new Map<Node, string>();
  const visit = (node: Node, path: string) => {
    const { entries = new Map<string, Node>(), bytes, seconds } = contents.get(node) ?? emptyContents();
    const other = made.get(node);
    if (other !== undefined) return linkSync(other, path);
    made.set(node, path);
    if (node.kind === 'link') return symlinkSync(node.target, path);
    if (node.kind === 'file') {
      writeFileSync(path, bytes);
      if (seconds !== undefined) utimesSync(path, seconds, seconds);
      return;
    }
    if (node !== root) mkdirSync(path);
    for (const [name, entry] of entries) visit(entry, join(path, name));
  };
  visit(root, folder);
}

/** Readers cannot distinguish two images with the same key. */
export function keyOf({ root, contents }: Image): string {
  const lines: string[] = [];
  const visit = (node: Node, path: string) => {
    const { entries, bytes, seconds } = contents.get(node) ?? emptyContents();
    lines.push(`${path} ${node.kind} ${node.target} ${seconds} ${sha256(bytes)}`);
    for (const [name, entry] of entries) visit(entry, `${path}/${name}`);
  };
  visit(root, '');
  return sha256(lines.sort().join('\n'));
}

/** Returns the steps that create the contents of a folder. */
export function stepsTo(folder: string, root: Node): Step[] {
  const steps: Step[] = [];
  const known = new Map<number, Node>();
  const visit = (path: string, parent: Node) => {
    for (const { name } of readdirSync(path, { withFileTypes: true })) {
      const place = join(path, name);
      const status = lstatSync(place);
      const node = known.get(status.ino) ?? nodeAt(place);
      steps.push({ what: 'enter', folder: parent, name, node });
      if (known.has(status.ino)) continue;
      known.set(status.ino, node);
      if (node.kind === 'folder') visit(place, node);
      if (node.kind !== 'file') continue;
      steps.push({ what: 'write', node, at: 0, bytes: readFileSync(place) });
      steps.push({ what: 'time', node, seconds: status.mtimeMs / 1000 });
    }
  };
  visit(folder, root);
  return steps;
}

function nodeAt(place: string): Node {
  const status = lstatSync(place);
  if (status.isSymbolicLink()) return { kind: 'link', target: readlinkSync(place) };
  return { kind: status.isDirectory() ? 'folder' : 'file', target: '' };
}

/** Returns the node at a path below a folder of an image, following all links except the last. */
export function nodeIn({ root, contents }: Image, path: string): Node | undefined {
  let [node, parts]: [Node | undefined, string[]] = [root, path.split('/').filter((part) => part !== '')];
  while (parts.length > 0 && node) {
    const [name = '', ...rest]: string[] = parts;
    const next: Node | undefined = contents.get(node)?.entries.get(name);
    if (next?.kind === 'link' && rest.length > 0) parts = [...next.target.split('/'), ...rest];
    else [node, parts] = [next, rest];
  }
  return node;
}

/** Returns an image that applies every change at once. */
export function liveImage(root: Node): { readonly image: Image; readonly make: (change: Change) => void } {
  const image: Image = { root, contents: new Map([[root, emptyContents()]]) };
  const linked = new Set([root]);
  return { image, make: (change) => make(image, linked, change, 'all') };
}

export const sizeIn = ({ contents }: Image, node: Node) => getOrThrow(contents, node).bytes.length;
