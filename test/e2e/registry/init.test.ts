/** `gridpress init`: the files that it creates and keeps. It never invents an author. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { newFolder } from '../../support/folders.ts';
import { CLI, gridpress } from '../../support/processes/cli.ts';
import { GIT_ENVIRONMENT } from '../../support/registries/git-repository.ts';
import { folderContents } from '../../support/trees/folder-contents.ts';
import { manifestOf } from '../../support/trees/served.ts';

const AUTHOR = ['--author', 'Ada Brown'];

async function made(folder: string, ...options: string[]): Promise<string> {
  const { status, stdout, stderr } = await gridpress(['init', ...options], { cwd: folder });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

const refused = (what: string, code: string, fix: string) => ({
  status: 2,
  stdout: '',
  stderr: `error: ${what} [${code}]\n  ${fix}\n`,
});

const inFolder = (cwd: string, ...args: string[]) => gridpress(args, { cwd });

const PRELOAD = join(import.meta.dirname, '..', '..', 'support', 'processes', 'kill-at-change.mjs');

const isRevision = (file: string) => file.startsWith(join('registry-data', 'history'));

const revisions = (folder: string) => Object.keys(folderContents(folder)).filter(isRevision).length;

/** Revisions contain the time of the run. */
function withoutHistory(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(folderContents(folder)).filter(([file]) => !isRevision(file)));
}

describe('a repetition completes a project that was killed', () => {
  const GRID = ['--grid', 'meridian', '--site', 'lyra'];
  const EXAMPLE = ['--example', '--ci', 'github'];
  test.each([
    ...[1, 12, 13, 14, 15, 16, 17, 18, 19].map((rename) => [GRID, rename] as const),
    ...[16, 17, 20, 21, 22, 23].map((rename) => [EXAMPLE, rename] as const),
  ])('%j at rename %i', async (options, rename) => {
    const [whole, killed] = [newFolder(), newFolder()];
    await made(whole, ...options);
    const env = { NODE_OPTIONS: `--import ${PRELOAD}`, KILL_AT_RENAME: String(rename) };
    const { status } = await gridpress(['init', ...options], { cwd: killed, env });
    expect(status).not.toBe(0);
    await made(killed, ...options);
    expect(withoutHistory(killed)).toEqual(withoutHistory(whole));
    expect(revisions(killed)).toBe(options === EXAMPLE ? 1 : 0);
  });

  test('but not if another file is there', async () => {
    const folder = newFolder();
    const env = { NODE_OPTIONS: `--import ${PRELOAD}`, KILL_AT_RENAME: '18' };
    await gridpress(['init', ...GRID], { cwd: folder, env });
    appendFileSync(join(folder, 'registry-data', 'grid.yaml'), '# mine\n');
    expect(await gridpress(['init', ...GRID], { cwd: folder })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('[not-empty]'),
    });
  });
});

describe('an empty registry', () => {
  test('has a grid and no revisions', async () => {
    const folder = newFolder();
    expect(await made(folder, 'bed', '--grid', 'meridian')).toBe(`Wrote
  schemas/gridpress.schema.json
  schemas/grid.schema.json
  schemas/site.schema.json
  schemas/cluster.schema.json
  schemas/node.schema.json
  schemas/flavor.schema.json
  schemas/server.schema.json
  schemas/pdu.schema.json
  schemas/network_equipment.schema.json
  schemas/environment.schema.json
  schemas/revision.schema.json
  gridpress.yaml
  registry-data/grid.yaml
  package.json
  .gitignore
  .gitattributes
  vendor/gridpress-0.1.0.tgz
Next:
  cd bed
  npm install
  npx gridpress add site NAME
  npx gridpress add node --site NAME --names 'c-{01..20}'
  npx gridpress record -m "First revision"
  npm start
`);
    const bed = join(folder, 'bed');
    expect((await inFolder(bed, 'check')).stdout).toBe(
      'error: The registry has no history. [history-empty]\n  Record its current state: gridpress record -m "First revision".\n',
    );
    expect((await inFolder(bed, 'record', '-m', 'First', ...AUTHOR)).status).toBe(0);
    expect(await inFolder(bed, 'check', '--strict', '--fleet')).toEqual({
      status: 0,
      stderr: '',
      stdout: 'No errors: 1 resource, 1 revision.\nCompared 0 nodes of 0 types.\n',
    });
    expect((await inFolder(bed, 'build')).status).toBe(0);
    expect(JSON.parse(readFileSync(join(bed, 'dist/index.json'), 'utf8'))).toMatchObject({
      type: 'grid',
      uid: 'meridian',
    });
  });

  test('has the requested sites, each with its cluster', async () => {
    const folder = newFolder();
    await made(folder, '--grid', 'meridian', '--site', 'lyra', '--site', 'vega');
    await inFolder(folder, 'record', '-m', 'First', ...AUTHOR);
    expect((await inFolder(folder, 'check', '--strict', '--fleet')).stdout).toBe(
      'No errors: 5 resources, 1 revision.\nCompared 0 nodes of 0 types.\n',
    );
    expect((await inFolder(folder, 'show', 'sites/vega')).stdout).toMatch(
      /\ntype: site\nuid: vega\nname: vega\nsite_class: baremetal\n$/,
    );
  });

  test('is rejected without a grid name or with an invalid name', async () => {
    const folder = newFolder();
    expect(await inFolder(folder, 'init')).toEqual(
      refused(
        'The name of the grid is missing.',
        'init-of-what',
        'Name the grid with "gridpress init --grid NAME", or create an example with "gridpress init --example".',
      ),
    );
    const bad = await inFolder(folder, 'init', '--grid', 'meridian', '--site', 'a b');
    expect(bad.stderr).toBe(
      'error: The uid "a b" contains characters that need escaping in a URL or a file name. [uid-characters]\n  Use letters, digits, "-", "_" and "~". "." is allowed except at the start and the end.\n',
    );
    const twice = await inFolder(folder, 'init', '--grid', 'meridian', '--site', 'lyra', '--site', 'Lyra');
    expect(twice.stderr).toContain('error: The uids "Lyra" and "lyra" differ only by case. [uid-case-collision]\n');
    expect(folderContents(folder)).toEqual({});
  });

  test('can be created again after a failure', async () => {
    const folder = newFolder();
    symlinkSync('missing', join(folder, 'registry-data'));
    expect((await inFolder(folder, 'init', '--grid', 'meridian')).status).toBe(2);
    rmSync(join(folder, 'registry-data'));
    await made(folder, '--grid', 'meridian');
  });

  test('is not created over another registry', async () => {
    const folder = newFolder();
    await made(folder, '--grid', 'meridian');
    const before = folderContents(folder);
    for (const options of [['--grid', 'other'], ['--example'], []])
      expect(await inFolder(folder, 'init', ...options)).toEqual(
        refused(
          'registry-data already contains a registry.',
          'not-empty',
          'Name another folder, or use this registry.',
        ),
      );
    expect(folderContents(folder)).toEqual(before);
  });
});

test('the example has a node and a revision without an author', async () => {
  const folder = newFolder();
  expect(await made(folder, '--example')).toMatch(/\nNext:\n {2}npm install\n {2}npx gridpress dev\n$/);
  expect((await inFolder(folder, 'check')).stdout).toBe('No errors: 4 resources, 1 revision.\n');
  expect((await inFolder(folder, 'log')).stdout).toContain(' The example of gridpress gridpress (4 added: ');
});

describe('a project', () => {
  test('keeps existing content of its files', async () => {
    const folder = newFolder();
    const before = { name: 'bed', scripts: { dev: 'mine', test: 'true' }, dependencies: { gridpress: 'file:x.tgz' } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(before));
    writeFileSync(join(folder, '.gitignore'), 'secrets\n/dist');
    await made(folder, '--grid', 'meridian');
    const { scripts, ...rest } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(rest).toEqual({ name: before.name, dependencies: before.dependencies });
    expect(scripts).toEqual({
      check: 'gridpress check --fleet',
      dev: 'mine',
      build: 'gridpress build',
      test: 'true',
      start: 'gridpress build && gridpress serve',
    });
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe(
      'secrets\n/dist\nnode_modules/\n# The tree that gridpress builds, and its staging folders\n.dist.*\n# Locks and temporary files of interrupted commands\n.*.gridpress*\n',
    );
    expect(readFileSync(join(folder, '.gitattributes'), 'utf8')).toBe('*.yaml text eol=lf\n');
  });

  test('is rejected if package.json is invalid', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'package.json'), '{');
    expect(await inFolder(folder, 'init', '--grid', 'meridian')).toEqual(
      refused('package.json is not a JSON object.', 'package-broken', 'Nothing was written. Correct the file first.'),
    );
    expect(Object.keys(folderContents(folder))).toEqual(['package.json']);
  });
});

const workflowSchema = z.object({
  jobs: z.record(
    z.string(),
    z.object({
      steps: z.array(
        z.object({ name: z.string().optional(), uses: z.string().optional(), run: z.string().optional() }),
      ),
    }),
  ),
});
const pipelineSchema = z.object({ changes: z.object({ script: z.array(z.string()) }) }).loose();

describe('a CI service', () => {
  test('is added to an existing registry, without overwriting files', async () => {
    const folder = newFolder();
    await made(folder, '--grid', 'Meri_dian');
    expect(await made(folder, '--ci', 'cloudflare')).toBe(
      'Wrote\n  package.json\n  .github/workflows/gridpress.yml\nNext:\n  npm install\n  Add cloudflare-pages to hosts in gridpress.yaml.\n',
    );
    expect(readFileSync(join(folder, '.github/workflows/gridpress.yml'), 'utf8')).toContain(
      'pages deploy dist --project-name meri-dian --branch main',
    );
    expect(await inFolder(folder, 'init', '--ci', 'netlify')).toEqual(
      refused(
        '.github/workflows/gridpress.yml already exists.',
        'file-there',
        'Nothing was written. Move the file away, and merge the two files afterwards.',
      ),
    );
    expect(existsSync(join(folder, 'netlify.toml'))).toBe(false);
  });

  test.each([
    [[], 'nginx'],
    [['--ci', 'github'], 'github-pages'],
    [['--ci', 'gitlab'], 'github-pages'],
    [['--ci', 'netlify'], 'netlify'],
    [['--ci', 'cloudflare'], 'cloudflare-pages'],
  ])('%j configures its host, so that every build has it', async (options, host) => {
    const folder = newFolder();
    await made(folder, '--grid', 'meridian', ...options);
    const written = Object.entries(folderContents(folder)).flatMap(([name, text]) =>
      name.startsWith('schemas/') ? [] : [text],
    );
    expect(written.join('')).not.toContain('--host');
    await inFolder(folder, 'record', '-m', 'First', ...AUTHOR);
    expect((await inFolder(folder, 'build')).status).toBe(0);
    expect(manifestOf(join(folder, 'dist')).hosts).toEqual([host]);
  });

  test.each(['github', 'netlify', 'cloudflare'])('%s uses pinned actions', async (service) => {
    const folder = newFolder();
    await made(folder, '--grid', 'meridian', '--ci', service);
    const { jobs } = workflowSchema.parse(load(workflowIn(folder)));
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    for (const { uses } of steps) expect(uses ?? `@${'0'.repeat(40)}`).toMatch(/@[0-9a-f]{40}$/);
    expect(Object.keys(jobs)).toEqual(service === 'netlify' ? ['record', 'check'] : ['record', 'check', 'deploy']);
  });

  test('GitHub shows the changes of a pull request', async () => {
    const { folder, run } = await pullRequest('github');
    const { steps } = workflowSchema.parse(load(workflowIn(folder))).jobs['check'] ?? { steps: [] };
    const scripts = steps.flatMap(({ name, run: script }) =>
      name !== undefined && script !== undefined ? [script] : [],
    );
    expect(scripts.length).toBe(3);
    const summary = join(folder, 'summary.md');
    const said = scripts.map((script) =>
      run(['-e', '-c', script], { GITHUB_BASE_REF: 'main', GITHUB_STEP_SUMMARY: summary }),
    );
    expect(said[0]).toContain('No errors: 3 resources, 2 revisions.\n');
    expect(readFileSync(summary, 'utf8')).toMatch(/^### What changes\n\n {4}- [0-9a-f]{8} 2026-01-01T00:00:00Z\n/);
    expect(readFileSync(summary, 'utf8').replace(/^ {4}/gm, '').endsWith(CHANGED)).toBe(true);
    expect(readFileSync(summary, 'utf8')).not.toMatch(/^```/m);
  });

  test('GitLab shows the changes of a merge request', async () => {
    const { folder, run } = await pullRequest('gitlab');
    const { changes } = pipelineSchema.parse(load(readFileSync(join(folder, '.gitlab-ci.yml'), 'utf8')));
    const script = changes.script.filter((line) => !line.startsWith('npm install')).join('\n');
    run(['-eo', 'pipefail', '-c', script], { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' });
    expect(readFileSync(join(folder, 'changes.txt'), 'utf8').endsWith(CHANGED)).toBe(true);
  });
});

const CHANGED = `+ the files of the registry

sites/lyra
  updated  sites/lyra (administrative)
    description  nothing -> "The first"  administrative

1 updated: 1 administrative
`;

const workflowIn = (folder: string) => readFileSync(join(folder, '.github/workflows/gridpress.yml'), 'utf8');

/** A clone on a branch whose last revision describes a site, and a shell of a CI runner in it. */
async function pullRequest(service: string) {
  const parent = newFolder();
  const folder = join(parent, 'clone');
  mkdirSync(folder);
  await made(folder, '--grid', 'meridian', '--site', 'lyra', '--ci', service);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env: GIT_ENVIRONMENT, stdio: 'pipe' });
  const commit = (message: string) => {
    git('add', '.');
    git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '--quiet', '-m', message);
  };
  git('init', '--quiet', '--initial-branch=main');
  await inFolder(folder, 'record', '-m', 'First', ...AUTHOR, '--date', '2026-01-01T00:00:00Z');
  commit('First');
  git('remote', 'add', 'origin', folder);
  git('fetch', '--quiet', 'origin');
  git('switch', '--quiet', '-c', 'change');
  const site = join(folder, 'registry-data/sites/lyra/site.yaml');
  writeFileSync(site, `${readFileSync(site, 'utf8')}description: The first\n`);
  await inFolder(folder, 'record', '-m', 'Describe lyra', ...AUTHOR);
  commit('Describe lyra');
  const bin = newFolder();
  // The package is not installed there, so npx runs the tested program.
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${CLI}" "$@"\n`);
  chmodSync(join(bin, 'npx'), 0o755);
  const PATH = [bin, process.env['PATH'] ?? ''].join(delimiter);
  const run = (args: readonly string[], env: Readonly<Record<string, string>>) =>
    execFileSync('bash', args, {
      cwd: folder,
      env: { ...GIT_ENVIRONMENT, ...env, PATH },
      encoding: 'utf8',
      stdio: 'pipe',
    });
  return { folder, run };
}

describe('the author of a revision', () => {
  const nobody = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_AUTHOR_NAME: '' };
  async function recorded(env: Readonly<Record<string, string>>, ...options: string[]) {
    const folder = newFolder();
    await made(folder, '--grid', 'meridian');
    const result = await gridpress(['record', '-m', 'First', ...options], { cwd: folder, env });
    const { stdout } = await inFolder(folder, 'log', '--json');
    return { ...result, author: JSON.parse(stdout).revisions?.[0].author };
  }

  test('is taken from --author or git', async () => {
    const configured = join(newFolder(), 'gitconfig');
    writeFileSync(configured, '[user]\n  name = Grace Green\n');
    expect((await recorded(nobody, ...AUTHOR)).author).toBe('Ada Brown');
    expect((await recorded({ ...nobody, GIT_CONFIG_GLOBAL: configured })).author).toBe('Grace Green');
    expect((await recorded({ ...nobody, GIT_AUTHOR_NAME: 'Tom White' })).author).toBe('Tom White');
  });

  test('is never invented', async () => {
    expect(await recorded(nobody)).toEqual({
      ...refused(
        'No author is set. Every revision records its author.',
        'no-author',
        'Name the author with --author "Ada Brown", or once in git: git config --global user.name "Ada Brown".',
      ),
      author: undefined,
    });
  });
});
