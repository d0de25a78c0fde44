/**
 * Removing a large tree with two threads. What they leave (what is others', the folders above what they share, and all
 * where one of them fails) is for whoever walks the tree after them.
 */
import { rmdirSync, unlinkSync } from 'node:fs';
import { startThread } from '../threads/thread.ts';
import { entriesOf, type RetiringTree } from './retiring-tree.ts';

export interface RetireInput {
  readonly tree: RetiringTree;
  /** Folders that no other one of them lies in. */
  readonly shares: readonly string[];
  /** Whose turn it is, and whether the second thread is at one of them. */
  readonly state: Int32Array;
}

const NEXT = 0;
const IS_HELPING = 1;

/** Removes what is ours in the folders that can be shared. Returns when both threads are done. */
export function retireTogether(tree: RetiringTree): void {
  const shares = [...sharesIn(tree, '', 1)];
  const state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const input: RetireInput = { tree, shares, state };
  const { send, stop } = startThread<RetireRequest, RetireReply>(
    new URL('./retire-worker.js', import.meta.url),
    input,
  );
  send('retire');
  try {
    retireShares(input);
  } finally {
    Atomics.wait(state, IS_HELPING, 1);
    void stop();
  }
}

export type RetireRequest = 'retire';
export type RetireReply = undefined;

/** The second thread's part: nothing, where it comes too late. */
export function helpRetiring(input: RetireInput): void {
  const { state } = input;
  Atomics.store(state, IS_HELPING, 1);
  try {
    retireShares(input);
  } finally {
    Atomics.store(state, IS_HELPING, 0);
    Atomics.notify(state, IS_HELPING);
  }
}

/** Each folder is taken by one thread. */
function retireShares({ tree, shares, state }: RetireInput): void {
  for (;;) {
    const share = shares[Atomics.add(state, NEXT, 1)];
    if (share === undefined) return;
    retireOwn(tree, share);
  }
}

/** Removes what is ours in a folder, and the folder where nothing else is in it; says whether it did. */
function retireOwn(tree: RetiringTree, folder: string): boolean {
  let isEmpty = true;
  for (const { path, entry, isOthers } of entriesOf(tree, folder)) {
    if (isOthers) isEmpty = false;
    else if (entry.isDirectory()) isEmpty = retireOwn(tree, path) && isEmpty;
    else unlinkSync(`${tree.old}/${path}`);
  }
  if (isEmpty) rmdirSync(`${tree.old}/${folder}`);
  return isEmpty;
}

/** From so many folders beside each other on, each is a share. */
const MANY = 64;
/** As deep as the folders of nodes. */
const DEEPEST = 6;

function* sharesIn(tree: RetiringTree, folder: string, depth: number): Generator<string> {
  const folders = [...entriesOf(tree, folder)].filter(
    ({ entry, isOthers }) => !isOthers && entry.isDirectory(),
  );
  for (const { path } of folders) {
    if (folders.length >= MANY || depth === DEEPEST) yield path;
    else yield* sharesIn(tree, path, depth + 1);
  }
}
