/** `lock` and `verify-lock` read the history of many nodes once. Otherwise, a large fleet takes minutes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { NODE, registryOf } from '../../support/registries/registry.ts';
import { nodeFile, nodeText, nodeUid } from '../../support/registries/testbed.ts';

const NODES = Array.from({ length: 60 }, (_, i) => i + 1);
/** Prints at the end how often revision files were opened. */
const COUNTING = `import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { openSync } = fs;
  let opened = 0;
  fs.openSync = (path, ...rest) => {
    if (/history.0.*[.]yaml$/.test(path)) opened++;
    return openSync(path, ...rest);
  };
  syncBuiltinESMExports();
  process.on('exit', () => process.stderr.write('opened ' + opened + '\\n'));`;

let folder = '';

beforeAll(() => {
  const files = (rack: number) =>
    Object.fromEntries(NODES.map((n) => [nodeFile('lyra', n), nodeText(n, `placement: { rack: ${rack} }\n`)]));
  const made = registryOf({ [NODE]: null, ...files(1) }, newFolder());
  made.record('First');
  made.write(files(2));
  made.record('Second');
  ({ folder } = made);
});

async function opened(...args: readonly string[]): Promise<number> {
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(COUNTING)}` };
  const { status, stderr } = await gridpress(args, { cwd: folder, env });
  expect(status, stderr).toBe(0);
  return Number(/^opened (\d+)$/m.exec(stderr)?.[1]);
}

test.each([30, 60])('%i nodes', async (count) => {
  const hosts = `${count}.txt`;
  writeFileSync(join(folder, hosts), NODES.slice(0, count).map(nodeUid).join('\n'));
  const made = await opened('lock', '--hosts', hosts, '-o', `${count}.lock.json`);
  const named = await opened('lock', ...NODES.slice(0, count).map((n) => `node-${n}`), '-o', 'named.lock.json');
  const verified = await opened('verify-lock', `${count}.lock.json`);
  expect([made, named, verified].map((reads) => reads < 20)).toEqual([true, true, true]);
});
