/**
 * Removing a large tree with two threads. What they leave (what is others', the folders above what they share, and all
 * where one of them fails) is for whoever walks the tree after them.
 */
import { rmdirSync } from 'node:fs';
import { startThread } from '../../threads/thread.ts';
import { emptyFolder, entriesOf, type RetiringTree } from './retiring-tree.ts';

export interface RetireInput {
  readonly tree: RetiringTree;
  /** Folders that no other one of them lies in. */
  readonly shares: readonly string[];
  /** The next share, whether the second thread is at one of them, and how many are done. */
  readonly state: Int32Array;
}

const NEXT = 0;
const IS_HELPING = 1;
const DONE = 2;

/** A second thread that has not finished a share in this time has died, as of too little memory. */
const PATIENCE_MS = 30_000;

/** Removes what is ours in the folders that can be shared. Returns when both threads are done. */
export function retireTogether(tree: RetiringTree): void {
  const shares = [...sharesIn(tree, '', 1)];
  const state = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  const input: RetireInput = { tree, shares, state };
  const { send, stop } = startThread<RetireRequest, RetireReply>(new URL('./retire-worker.js', import.meta.url), input);
  send('retire');
  try {
    retireShares(input);
  } finally {
    waitForHelp(state);
    void stop();
  }
}

function waitForHelp(state: Int32Array): void {
  let done: number;
  do done = Atomics.load(state, DONE);
  while (Atomics.wait(state, IS_HELPING, 1, PATIENCE_MS) === 'timed-out' && Atomics.load(state, DONE) !== done);
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

const leaveOthers = () => false;

/** Each folder is taken by one thread. */
function retireShares({ tree, shares, state }: RetireInput): void {
  for (;;) {
    const share = shares[Atomics.add(state, NEXT, 1)];
    if (share === undefined) return;
    if (emptyFolder(tree, share, leaveOthers)) rmdirSync(`${tree.old}/${share}`);
    Atomics.add(state, DONE, 1);
  }
}

/** From so many folders beside each other on, each is a share. */
const MANY = 64;
/** As deep as the folders of nodes. */
const DEEPEST = 6;

function* sharesIn(tree: RetiringTree, folder: string, depth: number): Generator<string> {
  const folders = [...entriesOf(tree, folder)].filter(({ entry, isOthers }) => !isOthers && entry.isDirectory());
  for (const { path } of folders) {
    if (folders.length >= MANY || depth === DEEPEST) yield path;
    else yield* sharesIn(tree, path, depth + 1);
  }
}
