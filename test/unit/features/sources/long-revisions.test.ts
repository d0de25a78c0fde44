import { expect, test } from 'vitest';
import { stateDigest } from '../../../../src/core/history/replay.ts';
import { type ResourceChange, writeRevisionFile } from '../../../../src/core/history/revision-file.ts';
import { memoryStore } from '../../../../src/core/model/body-store.ts';
import { KINDS } from '../../../../src/core/model/kinds.ts';
import { resourcesIn } from '../../../../src/core/model/state.ts';
import type { SourceFolder } from '../../../../src/core/registry/registry.ts';
import { readHistory } from '../../../../src/features/sources/read-history.ts';
import { headerOf } from '../../../support/values/headers.ts';
import { added, historyOf } from '../../../support/values/history.ts';

const FILE = 'history/000001-aaaaaaaa.yaml';
/** Long notes of many sites make a file that is parsed in parts. */
const SITES = 60;
const NOTE = 'é, as long as it is '.repeat(5_000);

const changes: readonly ResourceChange[] = [
  added('', { type: 'grid', uid: 'g' }),
  ...Array.from({ length: SITES }, (_, i) => added(`sites/s${i}`, { type: 'site', uid: `s${i}`, note: NOTE })),
];
const { history } = historyOf([['a', ...changes]]);
const state = stateDigest(history.states[0] ?? null);
const WHOLE = writeRevisionFile({ header: { ...headerOf('a'), state }, changes });

/** A folder with that revision. */
function folderWith(text: string): SourceFolder {
  const bytes = Buffer.from(text);
  return { name: 'registry', files: [FILE], read: () => bytes, sizeOf: () => bytes.length };
}

/** Returns each resource with its body, or the codes of findings. */
function read(folder: SourceFolder): readonly unknown[] {
  const store = memoryStore();
  const { history, findings } = readHistory(folder, store, { isMerging: false, kinds: KINDS });
  if (findings.length > 0) return findings.map(({ code, place }) => [code, place?.line]);
  const resources = [...resourcesIn(history.states[0] ?? null)];
  return resources.map(([path, { body }]) => [path, JSON.parse(store.get(body.handle))]);
}

test('a long revision file is read with all of its changes', () => {
  const bodies = changes.map((change) => [change.path, change.action === 'added' && change.value]);
  const inOrder = bodies.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  expect(JSON.stringify(read(folderWith(WHOLE)))).toBe(JSON.stringify(inOrder));
});

test.each([
  ['an unknown field', (text: string) => `${text}    other: 1\n`, 'schema'],
  ['a second date at the end', (text: string) => `${text}date: "2026-01-01T12:00:00Z"\n`, 'yaml-syntax'],
  ['broken YAML', (text: string) => `${text}  - removed: "sites/s1\n`, 'yaml-syntax'],
  ['an added site that exists', (text: string) => `${text}  - added: sites/s0\n    value: {}\n`, 'change-twice'],
  ['a wrong state', (text: string) => text.replace(state, '1'.repeat(64)), 'revision-state'],
])('%s is reported', (_, alter, code) => {
  expect(read(folderWith(alter(WHOLE))).map((each) => Array.isArray(each) && each[0])).toEqual([code]);
});

test('a list in another layout is read as a whole', () => {
  const other = folderWith(WHOLE.replace('\nchanges:\n', '\nchanges: # all\n'));
  expect(read(other)).toEqual(read(folderWith(WHOLE)));
});

test('a file that changes below its header during the read is read again', () => {
  const [before, now] = [folderWith(WHOLE), folderWith(WHOLE.replace(/^message: .*$/m, 'message: another'))];
  let times = 0;
  const folder = { ...now, read: (file: string) => (times++ === 0 ? before : now).read(file) };
  const { history } = readHistory(folder, memoryStore(), { isMerging: false, kinds: KINDS });
  expect(history.revisions.map(({ message }) => message)).toEqual(['another']);
});
