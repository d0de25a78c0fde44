import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetPlan, makeEdit, pendingEdit, prepareEdit } from '../../../../src/features/sources/edit-plan.ts';
import { registryOf, SITE } from '../../../support/registries/registry.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

beforeEach(() => {
  vi.stubEnv('XDG_CACHE_HOME', temporaryFolder());
});
afterEach(() => {
  vi.unstubAllEnvs();
});

function prepared() {
  const { registry } = registryOf();
  const plan = prepareEdit(registry, {
    texts: new Map([[SITE, 'new']]),
    moved: new Map(),
    removed: [],
    successors: [],
  });
  const cache = join(process.env['XDG_CACHE_HOME'] ?? '', 'gridpress');
  const file = join(cache, readdirSync(cache)[0] ?? '');
  return { registry, plan, file };
}

test('a plan changes no file before its first rename', () => {
  const { registry } = prepared();
  expect(pendingEdit(registry)).toMatchObject({ changed: [], canUndo: true });
});

test.each([
  '../../outside/pwn.yaml',
  '/etc/pwn.yaml',
  'sites/../../pwn.yaml',
  'sites/a\0.yaml',
  'sites/lyra/site.txt',
  'history/000001-abcdefab.yaml',
  '.edit.gridpress/new.yaml',
  '../gridpress.yaml',
])('a plan with the file %j is not accepted', (name) => {
  const { registry, file } = prepared();
  expect(pendingEdit(registry)).toBeDefined();
  writeFileSync(file, readFileSync(file, 'utf8').replace(JSON.stringify(SITE), JSON.stringify(name)));
  expect(pendingEdit(registry)).toBeUndefined();
});

test.each(['folder', 'pipe'])('a changed file that is now a %s can be forgotten', (what) => {
  const { registry, plan } = prepared();
  makeEdit(registry, plan);
  const path = join(registry, SITE);
  rmSync(path);
  if (what === 'folder') mkdirSync(path);
  else spawnSync('mkfifo', [path]);
  expect(pendingEdit(registry)).toMatchObject({ changed: [SITE], canUndo: false });
});

test('a damaged old file is not restored', () => {
  const { registry, plan } = prepared();
  makeEdit(registry, plan);
  const journal = join(registry, '.edit.gridpress');
  rmSync(join(journal, 'old-0'));
  writeFileSync(join(journal, 'old-0'), 'other');
  expect(pendingEdit(registry)).toMatchObject({ changed: [SITE], canUndo: false });
});

test('a folder in the place of the plan is deleted', () => {
  const { registry, file } = prepared();
  renameSync(file, `${file}.moved`);
  mkdirSync(join(file, 'inner'), { recursive: true });
  forgetPlan(registry);
  expect(existsSync(file)).toBe(false);
});
