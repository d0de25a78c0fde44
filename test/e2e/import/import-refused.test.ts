import {
  appendFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../src/core/diagnostics/finding.ts';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { type GitRepository, gitRepository, json } from '../../support/registries/git-repository.ts';
import { BASE, CLUSTER, GRID, imported, NODE, NODE_BODY, NODE_FILE, SITE } from '../../support/registries/imported.ts';
import { identities, importedOnce, importInto, withCores } from '../../support/registries/imported-once.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { folderContents } from '../../support/trees/folder-contents.ts';

describe('import is rejected and changes nothing', () => {
  /** Runs an import that must fail, and returns its output. */
  async function refusal(registry: string, repository: GitRepository, firstParent = false): Promise<string> {
    const before = identities(registry);
    const beside = readdirSync(join(registry, '..'));
    const error: unknown = await importInto(registry, repository, firstParent).catch((reason: unknown) => reason);
    expect(identities(registry)).toEqual(before);
    expect(readdirSync(join(registry, '..'))).toEqual(beside);
    if (error instanceof Failure) return renderFindings(error.findings);
    throw new Error('the import did not fail as it should', { cause: error });
  }

  const rewritten = (id: string) =>
    `error: The registry contains revision ${id.slice(0, 8)}, which the history of the repository does not have at this position. [import-rewritten]
  The history of the repository was rewritten, or the registry was imported from another repository or with another choice of --first-parent. Import into a new folder.
`;
  const unrecorded = (...changes: string[]) =>
    `error: The registry has ${changes.length} unrecorded change${changes.length > 1 ? 's' : ''}:
${changes.map((change) => `  ${change}\n`).join('')}`.trimEnd() +
    ` [import-unrecorded]
  An import would undo them. Make these changes in the repository, or import into a new folder.
`;

  test('if the last commit was rewritten', async () => {
    const { repository, registry, first, second } = await importedOnce();
    repository.commit({ parents: [first], files: { [NODE_FILE]: withCores(64) } });
    expect(await refusal(registry, repository)).toBe(rewritten(second));
  });

  test('if the first commit was rewritten', async () => {
    const { repository, registry, first } = await importedOnce();
    repository.commit({ parents: [], files: BASE });
    expect(await refusal(registry, repository)).toBe(rewritten(first));
  });

  test('if the reference moved back', async () => {
    const { repository, registry, first, second } = await importedOnce();
    repository.git('update-ref', 'refs/heads/main', first);
    expect(await refusal(registry, repository)).toBe(rewritten(second));
  });

  test('if --first-parent differs from the last import', async () => {
    const { repository, registry, first, second } = await importedOnce();
    const side = repository.commit({ branch: 'side', parents: [first] });
    const merge = repository.commit({ parents: [second, side] });
    await importInto(registry, repository);
    repository.commit();
    // The first mismatch is the side branch, which --first-parent skips.
    expect(await refusal(registry, repository, true)).toBe(rewritten(side));
    expect(merge).not.toBe(side);
  });

  test('if resources were changed, added and removed by hand', async () => {
    const { repository, registry } = await importedOnce();
    repository.commit({ files: { [NODE_FILE]: withCores(32) } });
    appendFileSync(join(registry, SITE, 'site.yaml'), 'location: Somewhere\n');
    rmSync(join(registry, `${NODE}.yaml`));
    writeFileSync(join(registry, CLUSTER, 'nodes', 'n3.yaml'), 'type: node\nuid: n3\n');
    expect(await refusal(registry, repository)).toBe(
      unrecorded(`added ${CLUSTER}/nodes/n3`, `updated ${SITE}`, `removed ${NODE}`),
    );
  });

  test('if resources were changed by hand and there are no new commits', async () => {
    const { repository, registry } = await importedOnce();
    appendFileSync(join(registry, SITE, 'site.yaml'), 'location: Somewhere\n');
    expect(await refusal(registry, repository)).toBe(unrecorded(`updated ${SITE}`));
  });

  test('if a resource was broken by hand', async () => {
    const { repository, registry } = await importedOnce();
    appendFileSync(join(registry, SITE, 'site.yaml'), 'name: Again\n');
    expect(await refusal(registry, repository)).toBe(
      `${registry}/${SITE}/site.yaml:4:1: error: The key "name" occurs twice in one mapping. [yaml-duplicate-key]
  2 | uid: lyra
  3 | name: Lyra
> 4 | name: Again
    | ^
  Keep one of them.
`,
    );
  });

  test('if the last import read another folder', async () => {
    const repository = gitRepository();
    const files = { 'data/other/other.json': '{}', 'data/other/sites/vega/vega.json': '{}' };
    const first = repository.commit({ files: { ...BASE, ...files } });
    const { registry } = await imported(repository.folder, { path: GRID });
    repository.commit({ files: { 'data/other/sites/vega/vega.json': '{"name": "Vega"}' } });
    expect(await failureOf(() => imported(repository.folder, { path: 'data/other' }, registry))).toBe(
      `error: Revision ${first.slice(0, 8)} of the registry contains sites/lyra, but the commit has no file for it in data/other. [import-other-folder]
  Name the folder of the earlier imports with --path, or import into a new folder.
`,
    );
  });

  test('if the history was started without an import', async () => {
    const { repository } = await importedOnce();
    const registry = join(temporaryFolder(), 'registry-data');
    for (const name of ['registry-data', 'gridpress.yaml'])
      cpSync(join(import.meta.dirname, '..', '..', '..', name), join(registry, '..', name), { recursive: true });
    const [first = ''] = readdirSync(join(registry, 'history')).sort();
    expect(await refusal(registry, repository)).toBe(
      `error: The history of the registry begins with ${first.slice(7, 15)}, which was recorded in the registry, not imported. [import-recorded]
  Import into a new folder.
`,
    );
  });

  test('if a revision file would be too large to be read', async () => {
    const { repository, registry } = await importedOnce();
    appendFileSync(join(registry, '..', 'gridpress.yaml'), 'limits: { revision_bytes: 5000 }\n');
    const id = repository.commit({ files: { [NODE_FILE]: json({ ...NODE_BODY, note: 'x'.repeat(5000) }) } });
    expect(await refusal(registry, repository)).toMatch(
      new RegExp(`^error: The new revision history/000003-${id.slice(0, 8)}\\.yaml cannot be read later: it has 5,`),
    );
  });

  test('if a part of the history is missing', async () => {
    const { repository, registry, first, second } = await importedOnce();
    const file = `history/000002-${second.slice(0, 8)}.yaml`;
    rmSync(join(registry, 'history', `000001-${first.slice(0, 8)}.yaml`));
    const line = readFileSync(join(registry, file), 'utf8').split('\n').indexOf(`  - ${first}`) + 1;
    expect(line).toBeGreaterThan(0);
    expect(await refusal(registry, repository)).toContain(
      `${registry}/${file}:${line}:5: error: The parent ${first.slice(0, 8)} of revision ${second.slice(0, 8)} is not in the history. [unknown-parent]`,
    );
  });

  test('if another import is running', async () => {
    const { repository, registry } = await importedOnce();
    repository.commit();
    const stage = join(dirname(registry), '.registry-data.gridpress');
    mkdirSync(stage);
    writeFileSync(join(stage, `owner-${process.pid}`), '');
    // This process owns the lock, and the import runs in a process of its own.
    const { status, stderr } = await gridpress(['import', repository.folder, '-o', registry]);
    expect([status, stderr]).toEqual([
      2,
      `error: Another gridpress is writing ${registry} (process ${process.pid}). [build-running]\n  Wait until it has finished. If that process is not gridpress, remove ${stage}.\n`,
    ]);
    expect(readdirSync(stage)).toEqual([`owner-${process.pid}`]);
  });
});

test('an import whose git is killed names the signal and writes nothing', async () => {
  const repository = gitRepository();
  repository.commit({ files: BASE });
  const cwd = temporaryFolder();
  const { PATH = '' } = process.env;
  const killed = `case " $* " in *" log "*) kill -9 $$;; esac; PATH='${PATH}' exec git "$@"`;
  writeFileSync(join(cwd, 'git'), `#!/bin/sh\n${killed}\n`, { mode: 0o755 });
  const env = { PATH: `${cwd}:${PATH}` };
  expect(await gridpress(['import', repository.folder, '-o', 'registry-data'], { cwd, env })).toEqual({
    status: 2,
    stdout: '',
    stderr: `error: ${repository.folder} cannot be read as a git repository: git was ended by the signal SIGKILL. [not-a-repository]
  Name a clone, a bare repository or a bundle that "git log" can read.
`,
  });
  expect(readdirSync(cwd)).toEqual(['git']);
});

describe('the output folder of an import', () => {
  async function refusal(out: string): Promise<string> {
    const repository = gitRepository();
    repository.commit({ files: BASE });
    const error: unknown = await importInto(out, repository).catch((reason: unknown) => reason);
    if (error instanceof Failure) return renderFindings(error.findings);
    throw new Error('the import did not fail as it should', { cause: error });
  }

  test('may be empty', async () => {
    const repository = gitRepository();
    repository.commit({ files: BASE });
    const out = join(temporaryFolder(), 'out');
    mkdirSync(out);
    await imported(repository.folder, {}, out);
    expect(readdirSync(out).sort()).toEqual(['grid.yaml', 'history', 'sites']);
  });

  test('may be a symbolic link, which is kept', async () => {
    const { repository, registry } = await importedOnce();
    const real = join(temporaryFolder(), 'real');
    renameSync(registry, real);
    symlinkSync(real, registry);
    repository.commit({ files: { [NODE_FILE]: withCores(32) } });
    await imported(repository.folder, {}, registry);
    expect(lstatSync(registry).isSymbolicLink()).toBe(true);
    expect(readdirSync(join(real, 'history')).length).toBe(3);
  });

  test('must not contain other files', async () => {
    const out = join(temporaryFolder(), 'out');
    mkdirSync(out);
    writeFileSync(join(out, 'grid.yaml'), 'type: grid\nuid: mine\n');
    expect(await refusal(out)).toBe(
      `error: ${out} is not empty, and contains no registry with a history. [import-not-empty]
  Name another folder, or empty this one yourself.
`,
    );
    expect(folderContents(out)).toEqual({ 'grid.yaml': 'type: grid\nuid: mine\n' });
  });

  test('must not be a file', async () => {
    const out = join(temporaryFolder(), 'out');
    writeFileSync(out, '');
    expect(await refusal(out)).toBe(
      `error: ${out} is a file, not a folder. [output-is-file]\n  Name another folder.\n`,
    );
  });

  test('must not be below a file', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(await refusal(join(file, 'out'))).toBe(
      `error: ${file} cannot be written: a part of the path is not a folder. [output-not-writable]
  Check its permissions, or name another folder.
`,
    );
  });
});
