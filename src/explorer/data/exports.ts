import { ReadError } from './reader.ts';

type Tables = typeof import('../tables.ts');

/** Loads the third script, which writes tables for documents. */
export async function loadTables(): Promise<Tables> {
  try {
    return (await window.gridpress.load('tables')) as Tables;
  } catch {
    throw new ReadError('A part of the page could not be loaded. Try again.');
  }
}
