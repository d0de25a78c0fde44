/** Trees signed with real keys and agents, and the signatures that `verify` accepts. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../../src/features/build/build.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress, startServer } from '../../support/processes/cli.ts';
import { needs } from '../../support/processes/programs.ts';
import { writeTestbed } from '../../support/registries/testbed.ts';
import { manifestOf } from '../../support/trees/served.ts';
import { filesBelow, statesOf } from '../../support/trees/whole-tree.ts';

const MANIFEST = '_manifest.json';
const ssh = needs('ssh-keygen');

let folder: string;
let registry: string;
let signed: string;
let unsigned: string;
let allowed: string;

const pressed = async (name: string, sign?: string) => {
  const out = join(folder, name);
  await build({ registry, out, snapshots: 'none', sign, showsProgress: false });
  return out;
};

function newKey(name: string): string {
  const key = join(folder, name);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', key]);
  return key;
}

function allow(name: string, lines: readonly (readonly [who: string, key: string])[]): string {
  const file = join(folder, name);
  writeFileSync(file, lines.map(([who, key]) => `${who} ${readFileSync(`${key}.pub`, 'utf8')}`).join(''));
  return file;
}

beforeAll(async () => {
  folder = newFolder();
  ({ registry } = writeTestbed(newFolder()));
  const [operator, other] = [newKey('operator'), newKey('other')];
  allowed = allow('allowed', [
    ['other@testbed.example.org', other],
    ['operator@testbed.example.org', operator],
  ]);
  signed = await pressed('signed', operator);
  unsigned = await pressed('unsigned');
});

const verify = (place: string, ...more: string[]) => gridpress(['verify', place, ...more]);
const UNKNOWN = (file: string) =>
  `${MANIFEST}: error: No signer in ${file} made the signature of the manifest, or the signature belongs to another manifest. [signer-unknown]\n` +
  '  Do not trust the tree. If the publisher has a new key, get it from the publisher, not from the server of the tree.\n';

describe.skipIf(ssh.isMissing)(`a signed tree${ssh.because}`, () => {
  test('equals the unsigned tree, with a signature at the end of its manifest', () => {
    const [with_, without] = [signed, unsigned].map((out) => readFileSync(join(out, MANIFEST), 'utf8'));
    expect(with_?.replace(/,"signature":"[^"]*"\}\n$/, '}\n')).toBe(without);
    expect(filesBelow(signed)).toEqual(filesBelow(unsigned));
  });

  test('is verified, and its signer is reported', async () => {
    const { digest, revision, serial } = manifestOf(signed);
    const signer = 'operator@testbed.example.org';
    expect(await verify(signed, '--allowed-signers', allowed)).toEqual({
      status: 0,
      stderr: '',
      stdout: `${signed} is complete and unaltered: ${filesBelow(signed).length} files, revision ${revision}, digest ${digest}, signed by ${signer}.\n`,
    });
    const { stdout } = await verify(signed, '--allowed-signers', allowed, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, serial, signer });
  });

  test('is verified over HTTP', async () => {
    const { url, stop } = await served(signed);
    try {
      const { stdout } = await verify(url, '--allowed-signers', allowed, '--json');
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, signer: 'operator@testbed.example.org', findings: [] });
    } finally {
      await stop();
    }
  });

  test('can be checked with ssh-keygen alone', () => {
    const text = readFileSync(join(signed, MANIFEST), 'utf8');
    const file = join(folder, 'signature');
    writeFileSync(file, manifestOf(signed).signature ?? '');
    const args = ['-Y', 'verify', '-n', 'gridpress', '-I', 'operator@testbed.example.org', '-f', allowed];
    const input = text.replace(/,"signature":"[^"]*"\}\n$/, '}\n');
    expect(execFileSync('ssh-keygen', [...args, '-s', file], { input, encoding: 'utf8' })).toMatch(
      /^Good "gridpress" signature for operator@testbed\.example\.org with ED25519 key /,
    );
  });

  test('is rewritten only if the key changes', async () => {
    const out = await pressed('twice', join(folder, 'operator'));
    const before = statesOf(out);
    await pressed('twice', join(folder, 'operator'));
    await pressed('twice');
    expect(statesOf(out)).toEqual(before);
    await pressed('twice', join(folder, 'other'));
    const { stdout } = await verify(out, '--allowed-signers', allowed, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, signer: 'other@testbed.example.org' });
  });
});

describe.skipIf(ssh.isMissing)(`verify rejects${ssh.because}`, () => {
  test('a tree without a signature', async () => {
    const { stderr, status } = await verify(unsigned, '--allowed-signers', allowed);
    expect([status, stderr]).toEqual([
      1,
      `${MANIFEST}: error: The manifest has no signature. [unsigned]\n` +
        '  Ask the publisher for a signed tree. "gridpress build --sign KEY" signs it.\n',
    ]);
  });

  test('a key that is not allowed', async () => {
    const file = allow('others', [['other@testbed.example.org', join(folder, 'other')]]);
    const { stderr, status } = await verify(signed, '--allowed-signers', file);
    expect([status, stderr]).toEqual([1, UNKNOWN(file)]);
  });

  test('a signature for another purpose', async () => {
    const out = join(folder, 'namespace');
    cpSync(unsigned, out, { recursive: true });
    const input = readFileSync(join(out, MANIFEST), 'utf8');
    const args = ['-q', '-Y', 'sign', '-n', 'file', '-f', join(folder, 'operator')];
    const signature = execFileSync('ssh-keygen', args, { input, encoding: 'utf8' });
    const text = input.replace(/\}\n$/, `,"signature":${JSON.stringify(signature)}}\n`);
    writeFileSync(join(out, MANIFEST), text);
    const { stderr, status } = await verify(out, '--allowed-signers', allowed);
    expect([status, stderr]).toEqual([1, UNKNOWN(allowed)]);
  });

  test('the signature of another tree', async () => {
    const out = join(folder, 'another');
    await build({ registry, out, dialect: 'legacy', snapshots: 'none', showsProgress: false });
    const signature = JSON.stringify(manifestOf(signed).signature);
    const text = readFileSync(join(out, MANIFEST), 'utf8');
    writeFileSync(join(out, MANIFEST), text.replace(/\}\n$/, `,"signature":${signature}}\n`));
    const { stderr, status } = await verify(out, '--allowed-signers', allowed);
    expect([status, stderr]).toEqual([1, UNKNOWN(allowed)]);
  });

  test('a forged higher serial', async () => {
    const out = join(folder, 'greater');
    cpSync(signed, out, { recursive: true });
    const text = readFileSync(join(out, MANIFEST), 'utf8');
    writeFileSync(join(out, MANIFEST), text.replace(/"serial":\d+/, '"serial":999'));
    const { stdout, status } = await verify(
      ...([out, '--allowed-signers', allowed, '--min-serial', '999', '--json'] as const),
    );
    const { findings } = JSON.parse(stdout);
    expect(status).toBe(1);
    expect(findings.map(({ code }: { code: string }) => code).sort()).toEqual([
      'signer-unknown',
      'verify-manifest-digest',
    ]);
  });

  test('an old tree', async () => {
    const { serial = 0 } = manifestOf(signed);
    expect((await verify(signed, '--min-serial', String(serial))).status).toBe(0);
    const { stderr, status } = await verify(signed, '--min-serial', String(serial + 1));
    expect([status, stderr]).toEqual([
      1,
      `${MANIFEST}: error: The serial of the manifest is ${serial}. The lowest accepted serial is ${serial + 1}. [serial-old]\n` +
        '  The tree is old. Get the newest one.\n',
    ]);
  });
});

describe.skipIf(ssh.isMissing)(`signing or verifying fails${ssh.because}`, () => {
  test('with a missing key, and leaves no tree', async () => {
    const out = join(folder, 'none');
    const key = join(folder, 'no-key');
    expect(await gridpress(['build', '--registry', registry, '--out', out, '--sign', key])).toEqual({
      status: 2,
      stdout: '',
      stderr:
        `error: Signing with the key ${key} failed: there is no such file. [sign-failed]\n` +
        '  Name the file of a private key, or the file of a public key whose private key is in an agent.\n',
    });
    expect(existsSync(out)).toBe(false);
  });

  test('with a pipe in the place of the key, without waiting for it', async () => {
    const key = join(newFolder(), 'pipe');
    execFileSync('mkfifo', [key]);
    const args = ['build', '--registry', registry, '--out', join(folder, 'none'), '--sign', key];
    const { status, stderr } = await gridpress(args);
    expect([status, stderr]).toEqual([2, expect.stringContaining('failed: it is not a file. [sign-failed]')]);
  });

  const { isMissing, because } = needs('setsid');
  test.skipIf(isMissing)(`with a key whose passphrase cannot be entered${because}`, async () => {
    const key = join(folder, 'protected');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'a secret', '-C', 'protected', '-f', key]);
    const out = join(folder, 'not-signed');
    const told = {
      status: 2,
      stdout: '',
      stderr: `error: The passphrase of the key ${key} is wrong or missing. [sign-passphrase]
  Type the passphrase in a terminal, or load the key into ssh-agent first: ssh-add ${key}
`,
    };
    // Without a terminal or a graphical prompt, like a scheduled job; no agent has the key.
    const env = { SSH_ASKPASS_REQUIRE: 'never', SSH_AUTH_SOCK: '' };
    const args = ['build', '--registry', registry, '--out', out, '--sign', key];
    expect(await gridpress(args, { env, hasTerminal: false })).toEqual(told);
    expect(existsSync(out)).toBe(false);
    expect(await gridpress([...args, '--json'], { env, hasTerminal: false })).toMatchObject({ status: 2, stderr: '' });
  });

  test('without ssh-keygen', async () => {
    const args = ['verify', signed, '--allowed-signers', allowed];
    expect(await gridpress(args, { env: { PATH: folder } })).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'error: ssh-keygen cannot be run: it is not installed. [ssh-keygen]\n' +
        '  Install OpenSSH. gridpress signs and verifies with ssh-keygen.\n',
    });
  });

  test('without the file of signers', async () => {
    const file = join(folder, 'no-file');
    expect(await verify(signed, '--allowed-signers', file)).toEqual({
      status: 2,
      stdout: '',
      stderr:
        `error: There is no file of allowed signers at ${file}. [no-allowed-signers]\n` +
        '  Write one line for each signer: a name, a space, and the line of the public key (ssh-keygen(1), ALLOWED SIGNERS).\n',
    });
  });
});

const agent = needs('ssh-keygen', 'ssh-agent', 'ssh-add');
describe.skipIf(agent.isMissing)(`with an agent${agent.because}`, () => {
  const agents: { kill: () => void }[] = [];
  afterAll(() => {
    for (const agent of agents) agent.kill();
  });

  test('the public key is enough for signing', async () => {
    const socket = join(folder, 'agent');
    const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: ['ignore', 'pipe', 'ignore'] });
    agents.push(agent);
    await once(agent.stdout, 'data');
    const env = { SSH_AUTH_SOCK: socket };
    const key = newKey('held');
    execFileSync('ssh-add', ['-q', key], { env: { ...process.env, ...env } });
    writeFileSync(key, '');
    const out = join(folder, 'by-agent');
    const args = ['build', '--registry', registry, '--out', out, '--sign', `${key}.pub`];
    expect(await gridpress(args, { env })).toMatchObject({ status: 0, stderr: '' });
    const file = allow('held-allowed', [['held@testbed.example.org', key]]);
    const { stdout } = await verify(out, '--allowed-signers', file, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, signer: 'held@testbed.example.org' });
  });
});

async function served(out: string): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const { port, stop } = await startServer(['serve', out]);
  return { url: `http://127.0.0.1:${port}/`, stop };
}
