/**
 * Signing and checking with ssh-keygen (-Y), so that operators use the keys and agents that they have, and anybody can
 * check a signature without gridpress.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { reasonOf, systemCode } from '../files/system-errors.ts';

/** The namespace of signatures: one that was made for something else is not taken for one of a tree. */
const NAMESPACE = 'gridpress';

/**
 * The armoured signature of a message. `key` is the file of a private key, or of a public one whose private half an
 * agent has. ssh-keygen asks for a passphrase on the terminal itself.
 */
export function sshSign(key: string, message: SignedMessage): string {
  const { status, stdout, stderr } = inFolder((folder) =>
    sshKeygen(['-Y', 'sign', '-n', NAMESPACE, '-f', key], written(folder, message)),
  );
  if (status === 0) return stdout;
  // It asks only where there is a terminal, and otherwise takes that for a wrong answer.
  if (stderr.includes('incorrect passphrase')) fail(finding('sign-passphrase', { key }));
  return fail(finding('sign-failed', { key, reason: existsSync(key) ? lastLine(stderr) : 'there is no such file' }));
}

/** Who of those whom a file allows signed a message; undefined where none of them did. */
export function sshSigner(allowed: string, message: SignedMessage, signature: string): string | undefined {
  if (!existsSync(allowed)) return fail(finding('no-allowed-signers', { file: allowed }));
  return inFolder((folder) => {
    const file = join(folder, 'signature');
    writeFileSync(file, signature);
    const of = ['-f', allowed, '-s', file];
    const found = sshKeygen(['-Y', 'find-principals', ...of]);
    const principals = found.status === 0 ? found.stdout.split('\n').filter(Boolean) : [];
    const signed = principals.length > 0 ? written(folder, message) : undefined;
    return principals.find((principal) => {
      const verify = ['-Y', 'verify', '-n', NAMESPACE, '-I', principal, ...of];
      return sshKeygen(verify, signed).status === 0;
    });
  });
}

/** What is signed, in chunks: a manifest can be larger than memory should be. */
export type SignedMessage = Iterable<Uint8Array>;

function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'gridpress-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function written(folder: string, message: SignedMessage): string {
  const path = join(folder, 'message');
  const file = openSync(path, 'w');
  try {
    for (const chunk of message) writeFileSync(file, chunk);
  } finally {
    closeSync(file);
  }
  return path;
}

function sshKeygen(args: readonly string[], input?: string): SpawnSyncReturns<string> {
  const file = input === undefined ? undefined : openSync(input, 'r');
  try {
    const run = spawnSync('ssh-keygen', args, { stdio: [file ?? 'ignore', 'pipe', 'pipe'], encoding: 'utf8' });
    if (!run.error) return run;
    const isMissing = systemCode(run.error) === 'ENOENT';
    return fail(finding('ssh-keygen', { reason: isMissing ? 'it is not installed' : reasonOf(run.error) }));
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.replace(/\.$/, '') ?? '';
}
