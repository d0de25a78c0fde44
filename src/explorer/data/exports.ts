import { ReadError } from './reader.ts';

type Exports = typeof import('../exports.ts');

let loading: Promise<Exports> | undefined;

/** Loads the third script, which writes tables and code for found nodes. After a failure, the next call retries. */
export function loadExports(): Promise<Exports> {
  loading ??= window.gridpress.load('exports').then(
    (loaded) => loaded as Exports,
    () => {
      loading = undefined;
      throw new ReadError('A part of the page could not be loaded. Try again.');
    },
  );
  return loading;
}
