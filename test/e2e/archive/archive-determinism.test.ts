import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { CLI, gridpress, type RunOptions } from '../../support/processes/cli.ts';
import { nodeOf } from '../../support/processes/other-node.ts';
import { writeGenerated } from '../../support/registries/generated.ts';
import { bytesIn } from '../../support/trees/archived.ts';

const PRECOMPRESSING = 'hosts: [nginx, caddy]';

let original: string;
let own: Record<string, string>;

beforeAll(async () => {
  original = newFolder();
  // Enough nodes for several compression threads.
  writeGenerated(original, 500, 2, PRECOMPRESSING);
  own = await archivedWith({ env: { TZ: 'UTC', LANG: 'C' } });
});

/** Archives the last two revisions of a copy in a new folder; returns all written files. */
async function archivedWith(options: RunOptions): Promise<Record<string, string>> {
  const folder = join(newFolder(), 'some', 'folder');
  cpSync(original, folder, { recursive: true });
  // A slow machine also prints the progress.
  const { status, stderr } = await gridpress(['archive', '--all'], { cwd: folder, ...options });
  expect([status, stderr]).toEqual([0, expect.not.stringMatching(/error|warning/)]);
  return bytesIn(join(folder, 'archives'));
}

test('a terminal shows the progress of packing', () => {
  const folder = join(newFolder(), 'copy');
  cpSync(original, folder, { recursive: true });
  const command = `${process.execPath} ${CLI} archive`;
  const told = execFileSync('script', ['-qec', command, '/dev/null'], { cwd: folder, encoding: 'utf8' });
  const [of, ...others] = new Set(
    Array.from(told.matchAll(/Packing [\d,]+ of ([\d,]*\d)/g), ([, total = '']) => Number(total.replaceAll(',', ''))),
  );
  expect([of, others]).toEqual([expect.any(Number), []]);
  expect(of).toBeGreaterThan(1000);
});

test('the archives contain no precompressed files, even if the configured hosts serve them', () => {
  for (const [file, bytes] of Object.entries(own).filter(([name]) => name.endsWith('.tar'))) {
    const tar = join(newFolder(), file);
    writeFileSync(tar, bytes, 'latin1');
    const names = execFileSync('tar', ['-tf', tar], { encoding: 'utf8', maxBuffer: 1 << 26 }).split('\n');
    expect(names.filter((name) => /\.(gz|br)$/.test(name))).toEqual([]);
    for (const end of ['_hosts/nginx/server.conf', '_hosts/caddy/site.caddy', '_pretty/sites.json'])
      expect([file, end, names.filter((name) => name.endsWith(`/data/tree/${end}`)).length]).toEqual([
        ...[file, end],
        1,
      ]);
  }
});

describe('archiving the same revisions twice gives the same bytes', () => {
  test.each([
    ['in another time zone', { TZ: 'Pacific/Auckland' }],
    ['in another locale', { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }],
    ['under other names', { HOME: '/nowhere', USER: 'nobody', HOSTNAME: 'elsewhere', TMPDIR: '/var/tmp' }],
  ])('%s', async (_, env) => {
    expect(await archivedWith({ env })).toEqual(own);
  });
});

describe('all Node.js versions give the same archives', () => {
  test.for(['20', '22', '24'])('with Node.js %s', async (version, { skip }) => {
    const found = await nodeOf(version);
    if ('missing' in found) return skip(`Node ${version} cannot be had: ${found.missing}`);
    expect(await archivedWith({ node: found.node })).toEqual(own);
  });
});
