/**
 * Signing and checking with ssh-keygen (-Y), so that operators use the keys and agents that they have, and anybody can
 * check a signature without gridpress.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
export function sshSign(key: string, message: Uint8Array): string {
  const { status, stdout, stderr } = sshKeygen(['-Y', 'sign', '-n', NAMESPACE, '-f', key], message);
  if (status === 0) return stdout;
  // It asks only where there is a terminal, and otherwise takes that for a wrong answer.
  if (stderr.includes('incorrect passphrase')) fail(finding('sign-passphrase', { key }));
  return fail(
    finding('sign-failed', { key, reason: existsSync(key) ? lastLine(stderr) : 'there is no such file' }),
  );
}

/** Who of those whom a file allows signed a message; undefined where none of them did. */
export function sshSigner(allowed: string, message: Uint8Array, signature: string): string | undefined {
  if (!existsSync(allowed)) return fail(finding('no-allowed-signers', { file: allowed }));
  const folder = mkdtempSync(join(tmpdir(), 'gridpress-'));
  try {
    const file = join(folder, 'signature');
    writeFileSync(file, signature);
    const of = ['-f', allowed, '-s', file];
    const found = sshKeygen(['-Y', 'find-principals', ...of], '');
    const principals = found.status === 0 ? found.stdout.split('\n').filter(Boolean) : [];
    return principals.find((principal) => {
      const verify = ['-Y', 'verify', '-n', NAMESPACE, '-I', principal, ...of];
      return sshKeygen(verify, message).status === 0;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sshKeygen(args: readonly string[], input: string | Uint8Array): SpawnSyncReturns<string> {
  const run = spawnSync('ssh-keygen', args, { input, encoding: 'utf8' });
  // It may end before it has read all of the message.
  if (run.error && systemCode(run.error) !== 'EPIPE') {
    const isMissing = systemCode(run.error) === 'ENOENT';
    const reason = isMissing ? 'it is not installed' : reasonOf(run.error);
    return fail(finding('ssh-keygen', { reason }));
  }
  return run;
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.replace(/\.$/, '') ?? '';
}
