/** Inputs above the size limits are rejected with the limit, before memory is allocated for them. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, closeSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { encodeHeader } from '../../../src/system/tar/tar-header.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress, type Run } from '../../support/processes/cli.ts';
import { gitRepository } from '../../support/registries/git-repository.ts';
import { CONFIGURATION, NODE, registryOf } from '../../support/registries/registry.ts';
import { serviceOf } from '../../support/services/service.ts';

const GIB = 2 ** 30;

/** Runs a command with little memory and a time limit, so that large inputs and waiting fail. */
async function bounded(args: readonly string[], cwd?: string): Promise<Run> {
  const run = await gridpress(args, {
    ...(cwd === undefined ? {} : { cwd }),
    env: { NODE_OPTIONS: '--max-old-space-size=160' },
  });
  expect(run.stdout + run.stderr).not.toMatch(/has a bug|heap|\n {4}at /);
  return run;
}

/** Writes a sparse file, which uses no disk space. */
function sparse(path: string, size = GIB): void {
  rmSync(path, { force: true });
  closeSync(openSync(path, 'w'));
  truncateSync(path, size);
}

/** Writes a tar file whose first entry claims this size. */
function sparseTar(name: string, size: number): string {
  const path = join(newFolder(), 'x.tar');
  sparse(path, 512 + size + 1024);
  const file = openSync(path, 'r+');
  writeSync(file, encodeHeader({ name, size, modified: 0, target: undefined }), 0, 512, 0);
  closeSync(file);
  return path;
}

describe('limits of registry files', () => {
  test.each(['check', 'build', 'record', 'log'])('%s rejects a resource file that is too large', async (command) => {
    const { registry } = registryOf({}, newFolder());
    sparse(join(registry, NODE));
    const run = await bounded([command, ...(command === 'record' ? ['-m', 'x'] : []), '--registry', registry]);
    expect(run.stderr).toContain(
      `${join(registry, NODE)} cannot be read: it has 1073.7 MB, more than the 16.0 MB that are read. [too-large]
  Split the file, or raise limits.source_bytes in gridpress.yaml to at most 256.0 MB.`,
    );
    expect(run.status).toBe(2);
  });

  test('a revision file that is too large is rejected', async () => {
    const given = registryOf({}, newFolder());
    given.record('First');
    sparse(join(given.registry, 'history', '000002-01234567.yaml'));
    const run = await bounded(['check', '--registry', given.registry]);
    expect(run.stderr).toContain(`it has 1073.7 MB, more than the 256.0 MB that are read. [too-large]
  Split the file, or raise limits.revision_bytes in gridpress.yaml to at most 512.0 MB.`);
    expect(run.status).toBe(2);
  });

  test('configured limits apply to resource and revision files', async () => {
    const given = registryOf({}, newFolder());
    const limited = (limits: string) => given.write({ [CONFIGURATION]: `cluster_uid: main\nlimits: { ${limits} }\n` });
    const checked = () => bounded(['check', '--registry', given.registry]);
    const file = `#${'x'.repeat(20_000)}\n${given.read(NODE)}`;
    given.write({ [NODE]: file });
    const { file: revision } = given.record('First');
    limited('source_bytes: 10000');
    expect((await checked()).stderr).toContain(
      `${NODE} cannot be read: it has ${Buffer.byteLength(file).toLocaleString('en')} bytes, more than the 10,000 bytes that are read.`,
    );
    limited('revision_bytes: 100');
    expect((await checked()).stderr).toContain(`${revision} cannot be read`);
    given.write({ [NODE]: '#'.repeat(17_000_000) + file });
    limited('source_bytes: 18000000');
    expect(await checked()).toMatchObject({ status: 0, stderr: '' });
    const built = await bounded(['build', '--registry', given.registry, '--out', join(newFolder(), 'api')]);
    expect(built).toMatchObject({ status: 0, stderr: '' });
    limited('source_bytes: 256000001');
    const { status, stdout } = await checked();
    expect(stdout).toContain('"limits.source_bytes": expected at most 256000000 bytes. [schema]');
    expect(status).toBe(1);
  });

  test('a configured limit applies to imported files', async () => {
    const repository = gitRepository();
    const site = { type: 'site', uid: 's', name: 'x'.repeat(200) };
    repository.commit({
      files: { 'data/g/g.json': '{"type":"grid","uid":"g"}', 'data/g/sites/s/s.json': JSON.stringify(site) },
    });
    const folder = newFolder();
    writeFileSync(join(folder, 'gridpress.yaml'), 'cluster_uid: main\nlimits: { source_bytes: 100 }\n');
    const run = await bounded(['import', repository.folder, '--out', join(folder, 'registry-data')]);
    expect(run.stderr).toContain(
      `data/g/sites/s/s.json cannot be read: it has ${JSON.stringify(site).length} bytes, more than the 100 bytes that are read unless limits.source_bytes is raised. [import-broken-file]`,
    );
    expect(run.status).toBe(0);
  });

  test.each([
    ['gridpress.yaml', 2, 'it is a pipe or a device, not a plain file.'],
    ['registry-data/grid.yaml', 1, 'grid.yaml'],
  ])('a pipe as %s is rejected', async (file, status, says) => {
    const { registry } = registryOf({}, newFolder());
    const path = join(registry, '..', file);
    rmSync(path);
    execFileSync('mkfifo', [path]);
    const run = await bounded(['check', '--registry', registry]);
    expect(run.stdout + run.stderr).toContain(says);
    expect(run.status).toBe(status);
  });
});

test.each([
  [
    Array.from({ length: 20_000 }, (_, n) => `f${n}`).join(','),
    'it has 20,001 columns, more than the 1,000 that are read',
  ],
  ['a.'.repeat(100_000), 'the name of a column has more than 50 parts'],
])('a table of nodes with a header that is too large is rejected', async (columns, says) => {
  const { registry } = registryOf({}, newFolder());
  const file = join(newFolder(), 'x.csv');
  writeFileSync(file, `node_name,${columns}\nlyra-2${columns.replace(/[^,]+/g, '1').replace(/^/, ',')}\n`);
  const run = await bounded(['add', 'node', '--registry', registry, '--from', file]);
  expect(run.stderr).toContain(`error: The table cannot be read: ${says}. [add-table]`);
  expect(run.status).toBe(1);
});

describe('limits of lock files', () => {
  test('a lock file that is too large is rejected', async () => {
    const file = join(newFolder(), 'x.lock');
    sparse(file);
    const run = await bounded(['verify-lock', file]);
    expect(run.stderr).toContain('it has 1073.7 MB, more than the 16.0 MB that are read.');
    expect(run.status).toBe(2);
  });

  test.each([
    ['{},'.repeat(5_000_000), 'The lock file is not a JSON object. [lock-not-json]'],
    ['1,'.repeat(2_000_000), '"nodes.0": expected a mapping, found 1. [schema]'],
  ])('a lock file with millions of values is rejected', async (values, says) => {
    const file = join(newFolder(), 'x.lock');
    writeFileSync(file, `{"gridpress_lock":1,"nodes":[${values}1]}`);
    const run = await bounded(['verify-lock', file]);
    expect(run.stderr).toContain(says);
    expect(run.status).toBe(2);
  });

  test('a pipe as lock file is rejected', async () => {
    const file = join(newFolder(), 'x.lock');
    execFileSync('mkfifo', [file]);
    expect((await bounded(['verify-lock', file])).stderr).toContain(
      `${file} cannot be read: it is a pipe or a device, not a plain file.`,
    );
    expect((await bounded(['verify-lock', '/dev/zero'])).stderr).toContain(
      '/dev/zero cannot be read: it is a pipe or a device, not a plain file.',
    );
  });
});

describe('limits of bundles and archives', () => {
  test.each([['verify'], ['apply', 'tree']])('%s rejects a pipe', async (command, ...more) => {
    const file = join(newFolder(), 'x.bundle');
    execFileSync('mkfifo', [file]);
    const run = await bounded([command, file, ...more], newFolder());
    expect(run.stderr).toMatch(/There is no tree at|cannot be read: it is a pipe or a device, not a plain file\./);
    expect(run.status).toBe(2);
  });

  test('a bundle with a header that is too large is rejected', async () => {
    const run = await bounded(['verify', sparseTar('bundle.json', GIB)]);
    expect(run.stdout + run.stderr).toContain('it has 1073.7 MB, more than the 256.0 MB that are read');
    expect(run.status).toBe(1);
  });

  test('an archive with a tag file that is too large is rejected', async () => {
    const name = `gridpress-meridian-${'a'.repeat(40)}`;
    const run = await bounded(['verify', sparseTar(`${name}/bag-info.txt`, GIB)]);
    expect(run.stdout + run.stderr).toContain('it has 1073.7 MB, more than the 1.0 MB that are read');
    expect(run.status).toBe(1);
  });

  test('an archive that expands endlessly is rejected', async () => {
    const file = join(newFolder(), 'x.tar.gz');
    const header = encodeHeader({
      name: `gridpress-meridian-${'a'.repeat(40)}/a`,
      size: 4 * GIB,
      modified: 0,
      target: undefined,
    });
    writeFileSync(file, gzipSync(header));
    const zeros = gzipSync(Buffer.alloc(1 << 24));
    for (let n = 0; n < 64; n++) appendFileSync(file, zeros);
    // The temporary folder is too small for the contents.
    const run = await bounded(['verify', file]);
    expect(run.stdout + run.stderr).toContain('it expands to more than a hundred times its size, unlike every archive');
    expect(run.status).toBe(1);
  });

  test('a compressed file that is not a tar and expands endlessly is rejected', async () => {
    const file = join(newFolder(), 'x.tar.gz');
    writeFileSync(file, gzipSync(Buffer.concat([Buffer.from('gridpress-'), Buffer.alloc(1 << 26, 'x')])));
    const run = await bounded(['verify', file]);
    expect(run.stdout + run.stderr).toContain('it has no header in the ustar format');
    expect(run.status).toBe(1);
  });
});

describe('limits of services', () => {
  test.each([
    ['of 17 MB', () => `{"a":"${'x'.repeat(17_000_000)}"}`, 'it has 17.0 MB, more than the 16.0 MB that are read'],
    [
      'with deeply nested JSON',
      () => `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
      'does not answer with a JSON object',
    ],
  ])('a root %s is rejected', async (_, body, says) => {
    const { origin } = await serviceOf(() => ({ body: body() }));
    const run = await bounded(['lock', '--from', origin, 'x']);
    expect(run.stderr).toContain(says);
    expect(run.status).toBe(2);
  });

  test.each([
    ['lock', ['--from', 'x'], 'does not answer with a JSON object'],
    ['probe', [], 'is not the root of the API'],
    ['crawl', [], 'does not answer with a JSON object'],
  ])('%s rejects a root with millions of objects', async (command, [option, ...names], says) => {
    const { origin } = await serviceOf(() => ({ body: `{"items":[${'{},'.repeat(5_000_000)}{}]}` }));
    const run = await bounded([command, ...(option === undefined ? [] : [option]), origin, ...names]);
    expect(run.stderr).toContain(says);
    expect(run.status).toBe(2);
  });

  test('chunks of one byte need little memory', async () => {
    const { origin } = await serviceOf((_, response) => {
      response.writeHead(200, { 'Transfer-Encoding': 'chunked' });
      response.flushHeaders();
      response.socket?.end(`${'1\r\n \r\n'.repeat(4_000_000)}0\r\n\r\n`);
      return undefined;
    });
    const run = await bounded(['find', '--from', origin, 'x']);
    expect(run.stderr).toContain('does not answer with a JSON object');
    expect(run.status).toBe(2);
  });
});

test('a tree with a document that is too large is rejected', async () => {
  const given = registryOf({}, newFolder());
  given.record('First');
  const out = join(newFolder(), 'api');
  expect((await bounded(['build', '--registry', given.registry, '--out', out])).status).toBe(0);
  sparse(join(out, 'sites.json'));
  const run = await bounded(['verify', out]);
  expect(run.stdout + run.stderr).toContain('it has 1073.7 MB, more than the 256.0 MB that are read');
  expect(run.status).toBe(1);
});
