import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { Failure } from '../../../src/core/diagnostics/finding.ts';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { GIT_ENVIRONMENT, type GitRepository, gitRepository, json } from '../../support/registries/git-repository.ts';
import {
  BASE,
  BASE_RESOURCES,
  CLUSTER,
  GRID,
  imported,
  NODE_FILE,
  type Options,
  SITE,
  warning,
} from '../../support/registries/imported.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Returns the output of an import that fails. */
async function refusal(repository: string, options: Options = {}, out?: string): Promise<string> {
  try {
    await imported(repository, options, out);
  } catch (error) {
    if (error instanceof Failure) return renderFindings(error.findings);
    throw error;
  }
  throw new Error('the import went through');
}

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, env: GIT_ENVIRONMENT, encoding: 'utf8', stdio: 'pipe' });
}

/** A repository with one commit that contains a registry. */
function withBase(): { repository: GitRepository; id: string } {
  const repository = gitRepository();
  return { repository, id: repository.commit({ files: BASE }) };
}

describe('a repository', () => {
  test('may be bare', async () => {
    const { repository, id } = withBase();
    const bare = join(temporaryFolder(), 'bare.git');
    git('.', 'clone', '--quiet', '--bare', repository.folder, bare);
    expect((await imported(bare)).at(id)).toEqual(BASE_RESOURCES);
  });

  test('may be given by a folder inside it', async () => {
    const { repository, id } = withBase();
    git(repository.folder, 'checkout', '--quiet', 'main');
    expect((await imported(join(repository.folder, GRID))).at(id)).toEqual(BASE_RESOURCES);
  });

  test.each(['registry.bundle', 'registry'])('may be a bundle with any name: %s', async (name) => {
    const { repository, id } = withBase();
    const bundle = join(temporaryFolder(), name);
    repository.git('bundle', 'create', '--quiet', bundle, 'HEAD', 'main');
    const out = join(temporaryFolder(), 'registry-data');
    const unpacked = temporaryFolder();
    vi.stubEnv('TMPDIR', unpacked);
    const { at } = await imported(bundle, {}, out);
    vi.unstubAllEnvs();
    expect(at(id)).toEqual(BASE_RESOURCES);
    expect(readdirSync(unpacked)).toEqual([]);
  });

  test('may be a bundle of one branch', async () => {
    const { repository, id } = withBase();
    const bundle = join(temporaryFolder(), 'registry.bundle');
    repository.commit({ branch: 'topic', parents: [id] });
    repository.git('bundle', 'create', '--quiet', bundle, 'topic');
    expect(await refusal(bundle)).toBe(
      'error: The repository has no commit "HEAD". [import-unknown-ref]\n  Name one with --ref: topic, or any other commit.\n',
    );
    expect((await imported(bundle, { ref: 'topic' })).at(id)).toEqual(BASE_RESOURCES);
  });

  test("is read independently of the user's git configuration", async () => {
    const { repository, id } = withBase();
    const linked = repository.commit({
      files: { [`${GRID}/vendor`]: { mode: '160000', contents: id }, [NODE_FILE]: null },
    });
    const configuration = join(temporaryFolder(), 'gitconfig');
    writeFileSync(
      configuration,
      `[log]\n showRoot = false\n showSignature = true\n decorate = full\n diffMerges = combined\n
       [diff]\n relative = true\n ignoreSubmodules = all\n renames = copies\n noprefix = true\n
       [color]\n ui = always\n[core]\n quotePath = true\n abbrev = 5\n[format]\n pretty = oneline\n`,
    );
    git(repository.folder, 'checkout', '--quiet', 'main');
    vi.stubEnv('GIT_CONFIG_GLOBAL', configuration);
    const { warnings, at } = await imported(join(repository.folder, 'data'));
    expect(warnings).toBe(
      warning(linked, `${GRID}/vendor is a submodule.`, 'import-not-a-file', 'The import omits it.'),
    );
    expect(at(id)).toEqual(BASE_RESOURCES);
    vi.unstubAllEnvs();
  });

  test('is rejected if it is a shallow clone', async () => {
    const { repository } = withBase();
    repository.commit();
    const shallow = join(temporaryFolder(), 'shallow');
    git('.', 'clone', '--quiet', '--depth=1', `file://${repository.folder}`, shallow);
    expect(await refusal(shallow)).toBe(
      `error: ${shallow} cannot be read as a git repository: it is a shallow clone; run "git fetch --unshallow" in it first. [not-a-repository]
  Name a clone, a bare repository or a bundle that "git log" can read.
`,
    );
  });

  test('is rejected if it is a clone without the folders of commits', async () => {
    const { repository } = withBase();
    repository.commit({ files: { [NODE_FILE]: null } });
    const clone = join(temporaryFolder(), 'clone');
    git(repository.folder, 'config', 'uploadpack.allowFilter', 'true');
    git('.', 'clone', '--quiet', '--filter=tree:0', `file://${repository.folder}`, clone);
    expect(await refusal(clone)).toContain(
      '; if this is a partial clone, run "git fetch --refetch --no-filter" in it first. [not-a-repository]',
    );
  });

  test.runIf(process.getuid?.() === 0)('of another user is read after the user told git to trust it', async () => {
    const { repository, id } = withBase();
    const configuration = join(temporaryFolder(), 'gitconfig');
    const trust = (folder: string) => writeFileSync(configuration, `[safe]\n directory = ${folder}\n`);
    chownSync(repository.folder, 12_345, 12_345);
    chownSync(join(repository.folder, '.git'), 12_345, 12_345);
    const out = join(temporaryFolder(), 'registry-data');
    const run = () =>
      gridpress(['import', repository.folder, '-o', out], { env: { GIT_CONFIG_GLOBAL: configuration } });
    trust('/elsewhere');
    expect((await run()).stderr).toContain('detected dubious ownership in repository');
    trust(repository.folder);
    expect((await run()).stderr).toBe('');
    expect(readdirSync(join(out, 'history'))).toEqual([`000001-${id.slice(0, 8)}.yaml`]);
  });

  test.each([
    ['it does not exist', 'none', 'git is not installed, or there is no such folder'],
    ['the folder is not a repository', '.', 'not a git repository'],
    ['the file is not a bundle', 'file', 'the file is not a bundle'],
    ['a parent of its path is a file', 'file/x', 'a part of the path is not a folder'],
  ])('is rejected if %s', async (_, name, reason) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), 'no bundle');
    const path = join(folder, name);
    // Git adds the searched folders, which depend on where the file system of the folder is mounted.
    const searched = / \(or any [^)]*\)(?:: \.git)?/;
    expect((await refusal(path)).replace(searched, '')).toBe(
      `error: ${path} cannot be read as a git repository: ${reason}. [not-a-repository]\n  Name a clone, a bare repository or a bundle that "git log" can read.\n`,
    );
  });

  test('is rejected if it is a bundle without its first commits', async () => {
    const { repository, id } = withBase();
    repository.commit();
    const bundle = join(temporaryFolder(), 'registry.bundle');
    repository.git('bundle', 'create', '--quiet', bundle, `${id}..main`);
    expect(await refusal(bundle)).toMatch(
      / cannot be read as a git repository: the bundle lacks older commits that it refers to\. \[not-a-repository\]\n/,
    );
  });

  test('is rejected if it has no commits', async () => {
    const { folder } = gitRepository();
    expect(await refusal(folder)).toBe(
      'error: The repository has no commit "HEAD". [import-unknown-ref]\n  It has no commits at all.\n',
    );
  });

  test.each(['nosuch', '--all', '', 'main:data', 'main~5', '^main', 'f'.repeat(40)])(
    'is rejected if the commit %j does not exist',
    async (ref) => {
      const { repository } = withBase();
      expect(await refusal(repository.folder, { ref })).toBe(
        `error: The repository has no commit "${ref}". [import-unknown-ref]\n  Name one with --ref: main, or any other commit.\n`,
      );
    },
  );

  test('is rejected if the commit does not exist and a tag has the name HEAD', async () => {
    const { repository } = withBase();
    repository.git('update-ref', 'refs/tags/HEAD', 'HEAD');
    expect(await refusal(repository.folder, { ref: 'HEAD..x' })).toMatch(
      /^error: The repository has no commit "HEAD\.\.x"\. \[import-unknown-ref\]\n {2}Name one with --ref: main, tags\/HEAD,/,
    );
  });

  test('is rejected if it has SHA-256 identifiers', async () => {
    const folder = temporaryFolder();
    git(folder, 'init', '--quiet', '--object-format=sha256');
    git(folder, '-c', 'user.name=a', '-c', 'user.email=a', 'commit', '--quiet', '--allow-empty', '-m', 'First');
    expect(await refusal(folder)).toContain(
      'its commits have SHA-256 identifiers instead of 40 digits. [not-a-repository]',
    );
  });

  test('is rejected if a part of its history is missing, and nothing is written', async () => {
    const { repository } = withBase();
    const second = repository.commit({ files: { [NODE_FILE]: null } });
    repository.commit({ files: { [NODE_FILE]: json({}) } });
    const tree = repository.git('rev-parse', `${second}^{tree}`).trim();
    rmSync(join(repository.folder, '.git', 'objects', tree.slice(0, 2), tree.slice(2)));
    const out = join(temporaryFolder(), 'registry-data');
    const said = await refusal(repository.folder, {}, out);
    // Some versions of git put the identifier in brackets.
    expect(said.replace(`(${tree})`, tree)).toBe(
      `error: ${repository.folder} cannot be read as a git repository: unable to read tree ${tree}; if this is a partial clone, run "git fetch --refetch --no-filter" in it first. [not-a-repository]
  Name a clone, a bare repository or a bundle that "git log" can read.
`,
    );
    expect(readdirSync(join(out, '..'))).toEqual([]);
  });

  test('with a damaged file is imported without that file', async () => {
    const { repository, id } = withBase();
    const blob = repository.git('rev-parse', `${id}:${NODE_FILE}`).trim();
    repository.loseContents(id, NODE_FILE);
    writeFileSync(join(repository.folder, '.git', 'objects', blob.slice(0, 2), blob.slice(2)), Buffer.alloc(100));
    const { warnings, at } = await imported(repository.folder, { allowMissing: true });
    expect(warnings).toBe(
      warning(
        id,
        `the contents of ${NODE_FILE} are missing from the repository.`,
        'import-missing-blob',
        'The import omits it.',
      ),
    );
    expect(Object.keys(at(id))).toEqual(['', SITE, CLUSTER]);
  });
});

describe('a registry in a repository', () => {
  test('must be named if there are several', async () => {
    const repository = gitRepository();
    const second = 'inventory/second';
    repository.commit({
      files: {
        ...BASE,
        [`${second}/second.json`]: json({ type: 'grid', uid: 'second' }),
        [`${second}/sites/s/s.json`]: json({ type: 'site', uid: 's', name: 's' }),
      },
    });
    expect(await refusal(repository.folder)).toBe(
      `error: The repository contains more than one registry: ${GRID}, ${second}. [import-several-grids]\n  Name one with --path. If a program generates one from the other, name the generated one.\n`,
    );
    const { at, revisions } = await imported(repository.folder, { path: second });
    expect(Object.keys(at(revisions[0]?.id ?? ''))).toEqual(['', 'sites/s']);
  });

  test('must exist', async () => {
    const repository = gitRepository();
    repository.commit({ files: { 'data/testbed/testbed.json': '{}', 'sites/a/a.json': '{}' } });
    expect(await refusal(repository.folder)).toBe(
      `error: The repository has no registry at data/GRID/GRID.json, or anywhere else. [import-no-grid]
  Name the folder of the grid with --path, such as --path data/GRID.
`,
    );
  });

  test.each(['data/test', 'data'])('must exist at --path %s', async (path) => {
    const { repository } = withBase();
    expect(await refusal(repository.folder, { path })).toBe(
      `error: The repository has no registry at ${path}. [import-no-grid]
  Name the folder of the grid with --path, such as --path data/GRID.
`,
    );
  });

  test('must have exactly one first commit', async () => {
    const { repository, id } = withBase();
    const other = repository.commit({ branch: 'other', parents: [], files: { 'README.md': 'Another project' } });
    const merge = repository.commit({ parents: [id, other], files: { 'README.md': 'Another project' } });
    expect(await refusal(repository.folder)).toBe(
      `error: The repository has 2 first commits: ${[id, other]
        .map((root) => root.slice(0, 8))
        .join(
          ', ',
        )}. [import-several-roots]\n  A registry has one first revision. Import the repository with --first-parent.\n`,
    );
    const { revisions } = await imported(repository.folder, { firstParent: true });
    expect(revisions.map((revision) => revision.id)).toEqual([id, merge]);
  });
});

describe('a git hook', () => {
  test('may run an import', async () => {
    const { repository, id } = withBase();
    const other = temporaryFolder();
    mkdirSync(join(other, '.git'));
    const program = join(import.meta.dirname, '..', '..', '..', 'lib', 'cli.js');
    const out = join(temporaryFolder(), 'registry-data');
    const printed = execFileSync(process.execPath, [program, 'import', repository.folder, '-o', out], {
      encoding: 'utf8',
      env: { ...GIT_ENVIRONMENT, GIT_DIR: join(other, '.git'), GIT_WORK_TREE: other, GIT_INDEX_FILE: 'none' },
    });
    expect(printed.split('\n')[0]).toBe(`Imported 1 revision and 4 resources into ${out}.`);
    expect(readdirSync(join(out, 'history'))).toEqual([`000001-${id.slice(0, 8)}.yaml`]);
  });
});
