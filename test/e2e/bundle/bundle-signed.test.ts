/** Bundles of signed trees, and the signers that `apply` accepts. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { needs } from '../../support/processes/programs.ts';
import { writeTestbed } from '../../support/registries/testbed.ts';
import { rewrite, withDigest } from '../../support/trees/altered-tree.ts';
import { builtTree, treeState } from '../../support/trees/bundled.ts';
import { manifestOf } from '../../support/trees/served.ts';

const ssh = needs('ssh-keygen');
let allowed: string;
let registry: string;
let signed: { readonly tree: string; readonly file: string };
let other: typeof signed;
let unsigned: typeof signed;

beforeAll(async () => {
  const folder = newFolder();
  ({ registry } = writeTestbed(newFolder()));
  const bundled = async (name: string, key?: string) => {
    const tree = await builtTree(registry, key === undefined ? {} : { sign: key });
    const file = join(folder, `${name}.bundle`);
    expect((await gridpress(['bundle', '--tree', tree, '-o', file])).status).toBe(0);
    return { tree, file };
  };
  unsigned = await bundled('unsigned');
  if (ssh.isMissing) return;
  const [own, strange] = ['own', 'strange'].map((name) => {
    const key = join(folder, name);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', key]);
    return key;
  });
  allowed = join(folder, 'allowed');
  writeFileSync(allowed, `ops@testbed.example.org ${readFileSync(`${own}.pub`, 'utf8')}`);
  signed = await bundled('signed', own);
  other = await bundled('other', strange);
});

test.skipIf(ssh.isMissing)(`apply copies the signature of a bundle and reports the signer${ssh.because}`, async () => {
  const mirror = join(newFolder(), 'mirror');
  const { status, stdout, stderr } = await gridpress(['apply', signed.file, mirror, '--allowed-signers', allowed]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const id = manifestOf(signed.tree).revision.slice(0, 8);
  expect(stdout.split(':')[0]).toBe(`Applied revision ${id} to ${mirror}, signed by ops@testbed.example.org`);
  expect(treeState(mirror)).toEqual(treeState(signed.tree));
  for (const place of [mirror, signed.file])
    expect((await gridpress(['verify', place, '--allowed-signers', allowed])).stdout).toMatch(
      /, signed by ops@testbed\.example\.org\.\n$/,
    );
});

test.skipIf(ssh.isMissing)(`an update can change only the signature${ssh.because}`, async () => {
  for (const before of [unsigned, other]) {
    const [mirror, update] = [join(newFolder(), 'mirror'), join(newFolder(), 'update.bundle')];
    await gridpress(['apply', before.file, mirror]);
    const made = await gridpress(['bundle', '--tree', signed.tree, '--since', before.file, '-o', update]);
    expect(made).toMatchObject({ status: 0, stderr: '' });
    const { status, stderr } = await gridpress(['apply', update, mirror, '--allowed-signers', allowed]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(treeState(mirror)).toEqual(treeState(signed.tree));
  }
});

test.skipIf(ssh.isMissing)(`the signature is not a change since a revision${ssh.because}`, async () => {
  const args = ['--registry', registry, '--tree', signed.tree, '--since', 'head', '-o', join(newFolder(), 'update')];
  const id = manifestOf(signed.tree).revision.slice(0, 8);
  expect((await gridpress(['bundle', ...args])).stderr).toBe(
    `error: Nothing has changed since revision ${id}, which is the revision of the tree itself. [bundle-since-itself]\n  Name an older revision with --since, or first build the tree of a newer one.\n`,
  );
});

test.skipIf(ssh.isMissing)(
  `apply rejects a bundle without an allowed signature and changes nothing${ssh.because}`,
  async () => {
    const mirror = join(newFolder(), 'mirror');
    expect(await gridpress(['apply', unsigned.file, mirror, '--allowed-signers', allowed])).toEqual({
      status: 1,
      stdout: '',
      stderr:
        '_manifest.json: error: The manifest has no signature. [unsigned]\n  Ask the publisher for a signed tree. "gridpress build --sign KEY" signs it.\n',
    });
    const { status, stderr } = await gridpress(['apply', other.file, mirror, '--allowed-signers', allowed]);
    expect([status, stderr.split('\n')[0]]).toEqual([
      1,
      `_manifest.json: error: No signer in ${allowed} made the signature of the manifest, or the signature belongs to another manifest. [signer-unknown]`,
    ]);
    expect(existsSync(mirror)).toBe(false);
  },
);

test.skipIf(ssh.isMissing)(
  `apply adds a signature to the same tree without rewriting other files${ssh.because}`,
  async () => {
    const mirror = join(newFolder(), 'mirror');
    await gridpress(['apply', unsigned.file, mirror]);
    const { stdout } = await gridpress(['apply', signed.file, mirror, '--allowed-signers', allowed, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, is_written: true, written: 0, bytes: 0 });
    expect(treeState(mirror)).toEqual(treeState(signed.tree));
  },
);

test.skipIf(ssh.isMissing)(
  `apply rejects an unsigned tree over a signed one, and a serial below the requested minimum${ssh.because}`,
  async () => {
    const mirror = join(newFolder(), 'mirror');
    expect((await gridpress(['apply', signed.file, mirror])).status).toBe(0);
    expect(await gridpress(['apply', unsigned.file, mirror])).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: The tree in ${mirror} is signed, but the tree to install is not. Nothing was changed. [install-unsigned]\n  Ask for a signed tree. If its publisher no longer signs, use --unsigned.\n`,
    });
    expect(treeState(mirror)).toEqual(treeState(signed.tree));
    const old = await gridpress(['apply', unsigned.file, mirror, '--unsigned', '--min-serial', '1000']);
    expect([old.status, old.stderr]).toEqual([1, expect.stringContaining('[serial-old]')]);
    expect((await gridpress(['apply', unsigned.file, mirror, '--unsigned'])).status).toBe(0);
    expect(treeState(mirror)).toEqual(treeState(unsigned.tree));
  },
);

test('an impossibly high serial does not block later trees', async () => {
  const [mirror, ahead] = [join(newFolder(), 'mirror'), join(newFolder(), 'tree')];
  cpSync(unsigned.tree, ahead, { recursive: true, preserveTimestamps: true });
  const { serial } = manifestOf(ahead);
  rewrite(ahead, '_manifest.json', (text) => withDigest(text.replace(/"serial":\d+/, '"serial":5000000')));
  const file = join(newFolder(), 'ahead.bundle');
  expect(await gridpress(['bundle', '--tree', ahead, '-o', file])).toMatchObject({ status: 0, stderr: '' });
  expect((await gridpress(['apply', unsigned.file, mirror])).status).toBe(0);
  expect(await gridpress(['apply', file, mirror])).toEqual({
    status: 2,
    stdout: '',
    stderr: `error: The serial of the tree to install is 5000000, but the tree in ${mirror} has ${serial}. The difference is implausible. Nothing was changed. [install-serial]\n  Ask where the tree comes from. If it is right, use --older.\n`,
  });
  expect(treeState(mirror)).toEqual(treeState(unsigned.tree));
});
