/** The last line of a test run, for every kind of result. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Returns the output after Vitest's own report, and the exit status, for a run of these test files. */
function run(files: Readonly<Record<string, string>>): Promise<{ status: number | null; stdout: string }> {
  const folder = temporaryFolder();
  const reporter = JSON.stringify(join(ROOT, 'test/support/count-reporter.ts'));
  const config = `import { CountReporter } from ${reporter};
export default { test: { globals: true, watch: false, reporters: [new CountReporter()] } };`;
  for (const [name, text] of Object.entries({ ...files, 'vitest.config.mts': config }))
    writeFileSync(join(folder, name), text);
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [vitest, 'run'], { cwd: folder }, (_, stdout) =>
      resolve({ status: child.exitCode, stdout }),
    );
  });
}

test('failures outside of tests are counted', async () => {
  const { status, stdout } = await run({
    'load.test.mts': "import './nowhere.mts';\ntest('never seen', () => {});\n",
    'hook.test.mts': `describe('with a broken hook', () => {
  beforeAll(() => { throw new Error('no disk'); });
  test('never begun', () => {});
});
test('works', () => {});
test('fails', () => { expect(1).toBe(2); });
test.skip('waits (rsync is not installed)', () => {});
`,
  });
  expect(stdout).toBe(`failed outside a test: hook.test.mts > with a broken hook
failed outside a test: load.test.mts
skipped: hook.test.mts > with a broken hook > never begun
skipped: hook.test.mts > waits (rsync is not installed)
1 passed, 3 failed, 2 skipped
`);
  expect(status).toBe(1);
});

test('uncaught errors are counted', async () => {
  const { status, stdout } = await run({
    'late.test.mts': `test('works', async () => {
  Promise.reject(new Error('too late'));
  await new Promise((resolve) => { setTimeout(resolve, 50); });
});
`,
  });
  expect(stdout).toBe('failed outside a test: too late\n1 passed, 1 failed\n');
  expect(status).toBe(1);
});

test('a successful run prints only the counts', async () => {
  expect(await run({ 'all.test.mts': "test('works', () => {});\n" })).toEqual({
    status: 0,
    stdout: '1 passed, 0 failed\n',
  });
});
