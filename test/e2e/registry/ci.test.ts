/** Runs each step of the workflows that `init` writes, of action.yml, of the GitLab component and of the Containerfile. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { load, loadAll } from 'js-yaml';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { S3_CLIENT } from '../../../src/features/publish/bucket/bucket-client.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { pathWithNpm } from '../../support/processes/npm-stand-in.ts';
import { needs } from '../../support/processes/programs.ts';
import { GIT_ENVIRONMENT } from '../../support/registries/git-repository.ts';
import { manifestOf } from '../../support/trees/served.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const stepSchema = z.object({ run: z.string().optional(), env: z.record(z.string(), z.string()).optional() });
const workflowSchema = z.object({ jobs: z.record(z.string(), z.object({ steps: z.array(stepSchema) })) });
const actionSchema = z.object({ runs: z.object({ steps: z.array(stepSchema) }) });
const pipelineSchema = z.record(z.string(), z.unknown());
const logSchema = z.object({
  revisions: z.array(z.object({ id: z.string(), author: z.string(), message: z.string() })),
});
const jobSchema = z.object({ before_script: z.array(z.string()).default([]), script: z.array(z.string()) });

let PATH: string;
beforeAll(() => {
  PATH = pathWithNpm();
});

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd,
    env: GIT_ENVIRONMENT,
    stdio: 'pipe',
  });

function commitAll(folder: string, message: string): void {
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '-m', message);
}

const NODE = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

/** A repository with a registry in gridpress's form, or in the form that `import` reads. */
async function repository(origin: 'committed' | 'imported', ...init: string[]): Promise<string> {
  const folder = newFolder();
  git(folder, 'init', '--quiet', '--initial-branch=main');
  const run = async (...args: string[]) => {
    const { status, stderr } = await gridpress(args, { cwd: folder });
    expect(status, stderr).toBe(0);
  };
  if (origin === 'committed') {
    await run('init', '--grid', 'meridian', '--site', 'lyra', ...init);
    await run('add', 'node', '--names', 'lyra-1', '-m', 'First', '--author', 'Ada');
  } else {
    const site = join(folder, 'data/meridian/sites/lyra');
    mkdirSync(join(site, 'clusters/main/nodes'), { recursive: true });
    const write = (path: string, body: object) =>
      writeFileSync(join(folder, 'data/meridian', path), JSON.stringify(body));
    write('meridian.json', { type: 'grid', uid: 'meridian' });
    write('sites/lyra/lyra.json', { type: 'site', uid: 'lyra', name: 'Lyra', site_class: 'baremetal' });
    write('sites/lyra/clusters/main/main.json', { type: 'cluster', uid: 'main' });
    write(`sites/lyra/clusters/main/nodes/${NODE}.json`, { type: 'node', uid: NODE, node_name: 'lyra-1' });
    commitAll(folder, 'The registry');
    await run('init', '--import', ...init);
  }
  commitAll(folder, 'Set up CI');
  return folder;
}

/** A clone without any ignored or untracked file. */
function cloneOf(repository: string): string {
  const clone = join(newFolder(), 'clone');
  git('.', 'clone', '--quiet', repository, clone);
  return clone;
}

function runStep(script: string, cwd: string, env: Readonly<Record<string, string>> = {}): string {
  return execFileSync('bash', ['-eo', 'pipefail', '-c', script], {
    cwd,
    env: { ...GIT_ENVIRONMENT, ...env, PATH: `${env['PATH'] ?? PATH}` },
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

function expectTree(folder: string): void {
  const { documents } = manifestOf(folder);
  expect(documents.some(({ path }) => path.startsWith('/sites/lyra/clusters/main/nodes/'))).toBe(true);
}

describe.each(['committed', 'imported'] as const)('with a registry that is %s, from a clean clone', (origin) => {
  test.each(['github', 'cloudflare'])('every step of the workflow for %s passes', async (service) => {
    const source = await repository(origin, '--ci', service);
    const text = readFileSync(join(source, '.github/workflows/gridpress.yml'), 'utf8');
    const { jobs } = workflowSchema.parse(load(text));
    for (const [name, { steps }] of Object.entries(jobs)) {
      if (name === 'record') continue;
      const clone = cloneOf(source);
      const env = { GITHUB_BASE_REF: 'main', GITHUB_STEP_SUMMARY: join(clone, 'summary.md') };
      for (const { run } of steps) if (run && !run.includes('wrangler')) runStep(run, clone, env);
      if (name === 'deploy') expectTree(join(clone, 'dist'));
      else expect(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')).toContain('### What changes');
    }
    expect(Object.keys(jobs)).toEqual([...(origin === 'committed' ? ['record'] : []), 'check', 'deploy']);
  });

  test('every job of the pipeline for GitLab passes', async () => {
    const source = await repository(origin, '--ci', 'gitlab');
    const jobs = pipelineSchema.parse(load(readFileSync(join(source, '.gitlab-ci.yml'), 'utf8')));
    for (const name of ['check', 'changes', 'pages']) {
      const clone = cloneOf(source);
      const { script } = jobSchema.parse(jobs[name]);
      runStep(script.join('\n'), clone, { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' });
      if (name === 'pages') expectTree(join(clone, 'public'));
    }
  });

  test('the build command for Netlify passes', async () => {
    const clone = cloneOf(await repository(origin, '--ci', 'netlify'));
    const [, command = ''] = /command = "(.*)"/.exec(readFileSync(join(clone, 'netlify.toml'), 'utf8')) ?? [];
    runStep(`npm install\n${command}`, clone);
    expectTree(join(clone, 'dist'));
  });
});

describe('the changes of a branch that is behind main', () => {
  /** Clones a repository, and checks out a branch that lacks the newest revision of main. */
  async function branchBehindMain(origin: 'committed' | 'imported', service: string): Promise<string> {
    const source = await repository(origin, '--ci', service);
    const commit = async (name: string, site: string) => {
      if (origin === 'committed') {
        const words = ['add', 'site', site, '--class', 'kvm', '-m', name, '--author', 'Ada'];
        expect(await gridpress(words, { cwd: source })).toMatchObject({ status: 0 });
      } else {
        const folder = join(source, 'data/meridian/sites', site);
        mkdirSync(folder);
        const body = { type: 'site', uid: site, name: site, site_class: 'kvm' };
        writeFileSync(join(folder, `${site}.json`), JSON.stringify(body));
      }
      commitAll(source, name);
    };
    git(source, 'checkout', '--quiet', '-b', 'change');
    await commit('On the branch', 'vega');
    git(source, 'checkout', '--quiet', 'main');
    await commit('On main', 'deneb');
    const clone = cloneOf(source);
    git(clone, 'checkout', '--quiet', 'change');
    return clone;
  }

  const expectChanges = (changes: string) => {
    expect(changes).toContain('added    sites/vega');
    expect(changes).not.toContain('deneb');
  };

  test.each(['committed', 'imported'] as const)('appear on GitHub, if the registry is %s', async (origin) => {
    const clone = await branchBehindMain(origin, 'github');
    const { jobs } = workflowSchema.parse(load(readFileSync(join(clone, '.github/workflows/gridpress.yml'), 'utf8')));
    const env = { GITHUB_BASE_REF: 'main', GITHUB_STEP_SUMMARY: join(clone, 'summary.md') };
    for (const { run } of jobs['check']?.steps ?? []) if (run) runStep(run, clone, env);
    expectChanges(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8'));
  });

  test.each(['committed', 'imported'] as const)('appear on GitLab, if the registry is %s', async (origin) => {
    const clone = await branchBehindMain(origin, 'gitlab');
    const jobs = pipelineSchema.parse(load(readFileSync(join(clone, '.gitlab-ci.yml'), 'utf8')));
    const { script } = jobSchema.parse(jobs['changes']);
    expectChanges(runStep(script.join('\n'), clone, { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' }));
  });

  test('appear with the action and with the GitLab component', async () => {
    const clone = await branchBehindMain('committed', 'github');
    const temp = newFolder();
    runStep(`npm install --global --prefix ${temp} vendor/gridpress-0.1.0.tgz`, clone);
    const env = {
      PATH: [join(temp, 'bin'), PATH].join(delimiter),
      REGISTRY: 'registry-data',
      GITHUB_BASE_REF: 'main',
      GITHUB_STEP_SUMMARY: join(clone, 'summary.md'),
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    };
    const { steps } = actionSchema.parse(load(readFileSync(join(ROOT, 'action.yml'), 'utf8'))).runs;
    for (const { run } of steps) if (run?.includes('### What changes')) runStep(run, clone, env);
    expectChanges(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8'));
    const template = readFileSync(join(ROOT, 'templates/gridpress.yml'), 'utf8');
    const jobs = pipelineSchema.parse(loadAll(template.replaceAll('$[[ inputs.registry ]]', env.REGISTRY))[1]);
    expectChanges(runStep(jobSchema.parse(jobs['gridpress-changes']).script.join('\n'), clone, env));
  });
});

describe('the job that records', () => {
  const remote = async () => jobOf(await repository('committed', '--ci', 'github'));

  /** A bare repository and a function that runs the job on a branch. Returns the new history of the branch. */
  function jobOf(source: string) {
    const { jobs } = workflowSchema.parse(load(readFileSync(join(source, '.github/workflows/gridpress.yml'), 'utf8')));
    const bare = join(newFolder(), 'remote.git');
    git('.', 'clone', '--quiet', '--bare', source, bare);
    const branch = async (name: string, ...commands: string[][]) => {
      const clone = cloneOf(bare);
      git(clone, 'checkout', '--quiet', '-b', name);
      for (const words of commands) {
        const { status, stderr } = await gridpress(words, { cwd: clone });
        expect(status, stderr).toBe(0);
      }
      commitAll(clone, name);
      git(clone, 'push', '--quiet', 'origin', name);
    };
    const merge = (name: string) => {
      const clone = cloneOf(bare);
      git(clone, 'merge', '--quiet', '--no-ff', '-m', `Merge ${name}`, `origin/${name}`);
      git(clone, 'push', '--quiet', 'origin', 'main');
    };
    const runJob = (name: string, env: Readonly<Record<string, string>>) => {
      const clone = cloneOf(bare);
      git(clone, 'checkout', '--quiet', name);
      for (const { run } of jobs['record']?.steps ?? []) if (run) runStep(run, clone, { GITHUB_ACTOR: 'bot', ...env });
    };
    const log = async (name: string) => {
      const clone = cloneOf(bare);
      git(clone, 'checkout', '--quiet', name);
      const { stdout } = await gridpress(['log', '--json'], { cwd: clone });
      const { revisions } = logSchema.parse(JSON.parse(stdout));
      return revisions.map(({ id, author, message }) => ({ id: id.slice(0, 8), text: `${author}: ${message}` }));
    };
    return { branch, merge, runJob, log };
  }

  test('leaves a registry without a history as it is', async () => {
    const source = newFolder();
    git(source, 'init', '--quiet', '--initial-branch=main');
    await gridpress(['init', '--grid', 'meridian', '--site', 'lyra', '--ci', 'github'], { cwd: source });
    commitAll(source, 'First');
    const { runJob } = jobOf(source);
    expect(() => runJob('main', { GITHUB_EVENT_NAME: 'push' })).not.toThrow();
  });

  const set = (field: string, ...more: string[]) => ['set', 'lyra-1', field, ...more];
  const recorded = ['-m', 'Change it', '--author', 'Ada'];

  test('merges the histories of two pull requests, the published one first', async () => {
    const { branch, merge, runJob, log } = await remote();
    await branch('later', set('placement.rack=1', ...recorded));
    await branch('first', ['add', 'node', '--names', 'lyra-2', '-m', 'Published', '--author', 'Eve']);
    merge('first');
    runJob('main', { GITHUB_EVENT_NAME: 'push' });
    expect((await log('main')).map(({ text }) => text)).toEqual(['Eve: Published', 'Ada: First']);
    merge('later');
    runJob('main', { GITHUB_EVENT_NAME: 'push' });
    const [merged, ...others] = await log('main');
    const idOf = (wanted: string) => others.find(({ text }) => text === wanted)?.id;
    expect(merged?.text).toBe(`bot: Merge ${idOf('Eve: Published')} and ${idOf('Ada: Change it')}`);
    expect(others).toHaveLength(3);
  });

  test('records an edit of a web editor with the title and the author of its pull request', async () => {
    const { branch, runJob, log } = await remote();
    await branch('edit', set('placement.rack=1'));
    const [TITLE, AUTHOR] = ['Move "lyra-1"; $(touch hacked) `touch hacked`', 'eve'];
    runJob('edit', { GITHUB_EVENT_NAME: 'pull_request', TITLE, AUTHOR });
    runJob('edit', { GITHUB_EVENT_NAME: 'pull_request', TITLE, AUTHOR });
    expect((await log('edit')).map(({ text }) => text)).toEqual([`eve: ${TITLE}`, 'Ada: First']);
  });
});

test('init --package names a version, a URL or a package file', async () => {
  const folder = newFolder();
  const specOf = async (name: string, spec: string) => {
    const { status, stderr } = await gridpress(['init', name, '--grid', 'm', '--package', spec], { cwd: folder });
    expect(status, stderr).toBe(0);
    return JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')).dependencies.gridpress;
  };
  expect(await specOf('a', '^2.0.0')).toBe('^2.0.0');
  expect(await specOf('b', 'git+https://git.example.org/gridpress.git#v2')).toBe(
    'git+https://git.example.org/gridpress.git#v2',
  );
  expect(existsSync(join(folder, 'b/vendor'))).toBe(false);
  writeFileSync(join(folder, 'mine.tgz'), 'a package');
  expect(await specOf('c', 'mine.tgz')).toBe('file:vendor/mine.tgz');
  expect(readFileSync(join(folder, 'c/vendor/mine.tgz'), 'utf8')).toBe('a package');
  const missing = await gridpress(['init', 'd', '--grid', 'm', '--package', 'none.tgz'], { cwd: folder });
  expect([missing.status, missing.stderr]).toEqual([2, expect.stringContaining('none.tgz')]);
  expect(existsSync(join(folder, 'd'))).toBe(false);
});

describe('the files for CI services in this repository', () => {
  let source: string;
  let packageFile: string;
  beforeAll(async () => {
    source = await repository('committed');
    packageFile = join(source, 'vendor', 'gridpress-0.1.0.tgz');
  });

  test('every step of action.yml passes', () => {
    const clone = cloneOf(source);
    const { steps } = actionSchema.parse(load(readFileSync(join(ROOT, 'action.yml'), 'utf8'))).runs;
    const inputs: Readonly<Record<string, string>> = {
      'inputs.package': packageFile,
      'inputs.registry': 'registry-data',
      'inputs.host': 'nginx',
      'inputs.out': 'dist',
      'inputs.publish': join(clone, 'published'),
      'github.action_path': ROOT,
    };
    const temp = newFolder();
    const files = { GITHUB_PATH: join(temp, 'path'), GITHUB_STEP_SUMMARY: join(temp, 'summary.md'), RUNNER_TEMP: temp };
    for (const { run = '', env = {} } of steps) {
      const values = Object.entries(env).map(([name, text]) => [
        name,
        text.replace(/\$\{\{ (\S+) \}\}/, (_, key: string) => inputs[key] ?? `unknown ${key}`),
      ]);
      const added = existsSync(files.GITHUB_PATH) ? readFileSync(files.GITHUB_PATH, 'utf8').trim() : '';
      runStep(run, clone, {
        ...files,
        ...Object.fromEntries(values),
        GITHUB_BASE_REF: 'main',
        PATH: `${added}:${PATH}`,
      });
    }
    expect(steps.length).toBe(5);
    expectTree(join(clone, 'published'));
    expect(existsSync(join(clone, 'published/_hosts/nginx/server.conf'))).toBe(true);
  });

  test('every job of the GitLab component passes', () => {
    const clone = cloneOf(source);
    const temp = newFolder();
    const inputs: Readonly<Record<string, string>> = {
      package: packageFile,
      registry: 'registry-data',
      host: 'github-pages',
      out: 'public',
      publish: join(clone, 'published'),
    };
    const text = readFileSync(join(ROOT, 'templates/gridpress.yml'), 'utf8').replace(
      /\$\[\[ inputs\.(\w+) \]\]/g,
      (_, name: string) => inputs[name] ?? `unknown ${name}`,
    );
    const jobs = pipelineSchema.parse(loadAll(text)[1]);
    const { before_script } = z.object({ before_script: z.array(z.string()) }).parse(jobs['.gridpress']);
    const install = before_script.join('\n').replace('--global', `--global --prefix ${temp}`);
    runStep(install, clone);
    for (const name of ['gridpress-check', 'gridpress-changes', 'gridpress-deploy']) {
      const { script } = jobSchema.parse(jobs[name]);
      runStep(script.join('\n'), clone, { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main', PATH: `${temp}/bin:${PATH}` });
    }
    expectTree(join(clone, 'published'));
  });

  test('to publish to a bucket, the action and the component also install the S3 client', () => {
    const bin = newFolder();
    const log = join(bin, 'log');
    for (const name of ['npm', 'gridpress']) {
      writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} "$@" >> '${log}'\n`);
      chmodSync(join(bin, name), 0o755);
    }
    const logged = (scripts: readonly string[], publish: string) => {
      writeFileSync(log, '');
      const env = { PACKAGE: 'g.tgz', PUBLISH: publish, RUNNER_TEMP: bin, GITHUB_PATH: join(bin, 'path'), OUT: 'dist' };
      runStep(scripts.join('\n'), bin, { ...env, PATH: [bin, PATH].join(delimiter) });
      return readFileSync(log, 'utf8');
    };
    const { steps } = actionSchema.parse(load(readFileSync(join(ROOT, 'action.yml'), 'utf8'))).runs;
    const action = [steps[0]?.run ?? '', steps[4]?.run ?? ''];
    const template = loadAll(readFileSync(join(ROOT, 'templates/gridpress.yml'), 'utf8'))[1];
    const { script } = jobSchema.parse(pipelineSchema.parse(template)['gridpress-deploy']);
    const component = (publish: string) =>
      script.map((line) => line.replaceAll('$[[ inputs.publish ]]', publish).replaceAll('$[[ inputs.out ]]', 'dist'));
    for (const publish of ['s3://bucket/api', '/srv/api'])
      for (const text of [logged(action, publish), logged(component(publish), publish)]) {
        expect(text.includes(` ${S3_CLIENT}\n`)).toBe(publish.startsWith('s3:'));
        expect(text).toContain(`gridpress publish ${publish} --tree dist\n`);
      }
  });

  const nginx = needs('nginx');
  test.skipIf(nginx.isMissing)(`every step of the Containerfile passes${nginx.because}`, () => {
    const root = newFolder();
    const text = readFileSync(join(ROOT, 'Containerfile'), 'utf8').replace(/\\\n/g, '');
    const steps = text.split('\n').filter((line) => /^[A-Z]+ /.test(line));
    const [images, copies, runs] = ['FROM', 'COPY', 'RUN'].map((word) =>
      steps.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1)),
    );
    expect(images?.map((image) => image.split(':')[0])).toEqual(['docker.io/library/node', 'docker.io/library/nginx']);
    expect(copies).toEqual(['. .', '--from=build /srv/api /srv/api']);
    const project = join(root, 'project');
    cpSync(cloneOf(source), project, { recursive: true });
    mkdirSync(join(root, 'etc/nginx/conf.d'), { recursive: true });
    const configuration = join(root, 'nginx.conf');
    const include = `include ${root}/etc/nginx/conf.d/*.conf;`;
    const server = `pid ${root}/pid; error_log ${root}/log; events {} http { access_log off; ${include} }`;
    writeFileSync(configuration, server);
    for (const run of runs ?? []) {
      const placed = run.replaceAll('/srv/api', `${root}/srv/api`).replaceAll('/etc/nginx/', `${root}/etc/nginx/`);
      // Ports below 1024 belong to root on some systems.
      const step = placed
        .replace('listen 80;', 'listen 127.0.0.1:18080;')
        .replace('nginx -t', `nginx -t -c ${configuration}`);
      runStep(step, project, { PATH: `${PATH}:/usr/sbin` });
    }
    expectTree(join(root, 'srv/api'));
  });
});
