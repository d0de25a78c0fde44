import { expect, test } from 'vitest';
import type { Variants } from '../../../../src/core/tree/layout.ts';
import { causesOfFiles, countFiles } from '../../../../src/core/tree/plan/count-files.ts';
import type { Plan, PlannedDocument } from '../../../../src/core/tree/plan/planned.ts';

const VARIANTS: Variants = { names: ['{path}/index.json'], pretty: false, precompressed: false };
const SNAPSHOTS = [2, 1, 0];
const id = (index: number) => String(index).repeat(40);

function document(url: string): PlannedDocument {
  return { url, form: 'item', cache: 'mutable', modified: 0, body: () => '{}' };
}

/**
 * Two sites with a version each, one alias, and snapshots of both sites. `listed` collects the snapshots that are
 * listed.
 */
function planned(listed: number[]): Plan {
  const sites = ['/sites/a', '/sites/b'];
  const base = (urls: readonly string[]) => ({ snapshot: undefined, list: () => urls.map(document) });
  return {
    documents: [
      base(sites),
      base(sites.map((site) => `${site}/versions/${id(0)}`)),
      ...SNAPSHOTS.map((snapshot) => ({
        snapshot,
        list: () => {
          listed.push(snapshot);
          return sites.map((site) => document(`/snapshots/${id(snapshot)}${site}`));
        },
      })),
    ],
    aliases: [
      {
        snapshot: undefined,
        list: () => [
          { url: '/sites/a/versions/latest', target: `/sites/a/versions/${id(0)}`, cache: 'mutable' as const },
        ],
      },
    ],
    files: () => [],
  };
}

test('countFiles counts the files of each snapshot and all other files', () => {
  const plan = planned([]);
  expect(countFiles({ plan, variants: VARIANTS, otherFiles: 3, maxFiles: 25 })).toEqual({
    documents: 10,
    aliases: 1,
    files: 25,
    filesBySnapshot: new Map([
      [undefined, 13],
      [2, 4],
      [1, 4],
      [0, 4],
    ]),
    isComplete: true,
  });
  expect(causesOfFiles({ plan, variants: VARIANTS, otherFiles: 3, maxFiles: 25 })).toEqual([
    ['snapshots', 12],
    ['resources', 4],
    ['versions', 4],
    ['other files', 3],
    ['latest versions', 2],
  ]);
});

test('countFiles stops above the limit and lists no further snapshot', () => {
  const listed: number[] = [];
  const plan = planned(listed);
  const { files, filesBySnapshot, isComplete } = countFiles({ plan, variants: VARIANTS, otherFiles: 3, maxFiles: 16 });
  expect([files, isComplete, listed]).toEqual([17, false, [2]]);
  expect([...filesBySnapshot.keys()]).toEqual([undefined, 2]);
});
