/** A tree that cannot fit is refused by the number of its sources, of which none is read. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../../src/features/build/build.ts';
import { newFolder } from '../../support/folders.ts';
import { failureOf } from '../../support/processes/failure.ts';

const NODES = 5000;
let folder: string;

/** What would be read is no YAML. */
beforeAll(() => {
  folder = newFolder();
  const write = (file: string) => {
    mkdirSync(dirname(join(folder, 'registry-data', file)), { recursive: true });
    writeFileSync(join(folder, 'registry-data', file), '{'.repeat(400));
  };
  write('grid.yaml');
  write('sites/s/site.yaml');
  write('sites/s/clusters/main/cluster.yaml');
  for (let n = 0; n < NODES; n++) write(`sites/s/clusters/main/nodes/n${n}.yaml`);
});

function refused(...configuration: string[]): Promise<string> {
  writeFileSync(join(folder, 'gridpress.yaml'), ['cluster_uid: main', ...configuration, ''].join('\n'));
  return failureOf(() =>
    build({ registry: join(folder, 'registry-data'), out: join(folder, 'dist'), showsProgress: false }),
  );
}

describe('a build of 5,003 resources', () => {
  test('is refused by max_files, with what makes so many', async () => {
    expect(
      await refused('max_files: 50000'),
    ).toBe(`error: The tree would have at least 55,033 files, more than the 50,000 of max_files; nothing was read or written. [max-files-early]
  The 5,003 resources of the registry make 10,006 of resources, 10,006 of histories, 10,006 of latest versions, 10,006 of versions, 10,006 of TimeMaps, 5,003 of TimeMaps as links. Leave something out in gridpress.yaml, or raise max_files.
`);
  });

  test('is refused by the bound of a host', async () => {
    expect(await refused('hosts: [cloudflare-workers]')).toMatch(
      /^error: .+ takes at most 20,000 files \(.+\); the tree would have at least 30,018; nothing was read or written\. \[host-files-early\]\n {2}The 5,003 resources /,
    );
    expect(readdirSync(folder).toSorted()).toEqual(['gridpress.yaml', 'registry-data']);
  });
});
