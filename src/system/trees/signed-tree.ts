/** Signs and verifies manifests with ssh-keygen. */

import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Finding, fail, finding } from '../../core/diagnostics/finding.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import { manifestSignature } from '../../core/tree/manifest/manifest.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { createFile, withFile, writeAll } from '../files/file-io.ts';
import { readingIfExists, reasonOf, systemCode } from '../files/system-errors.ts';
import { manifestFrom } from './manifest-file.ts';
import { fileSource } from './manifest-summary.ts';

export interface Trust {
  /** A file of allowed signers (see ALLOWED SIGNERS in ssh-keygen(1)). */
  readonly allowedSigners?: string | undefined;
  readonly minSerial?: number | undefined;
}

export interface TrustResult {
  readonly signer: string | undefined;
  readonly findings: readonly Finding[];
}

export function checkTrust({ summary, unsigned }: Manifest, { allowedSigners, minSerial }: Trust): TrustResult {
  const { serial, signature } = summary;
  const place = { file: MANIFEST_FILE };
  const findings: Finding[] = [];
  if (minSerial !== undefined && (serial ?? 0) < minSerial)
    findings.push(finding('serial-old', { serial, least: minSerial }, place));
  if (allowedSigners === undefined) return { signer: undefined, findings };
  const signer = signature === undefined ? undefined : sshSigner(allowedSigners, unsigned(), signature);
  if (signature === undefined) findings.push(finding('unsigned', {}, place));
  else if (signer === undefined) findings.push(finding('signer-unknown', { allowed: allowedSigners }, place));
  return { signer, findings };
}

/** Signs a tree, and replaces an existing signature. */
export function signTree(folder: string, key: string): void {
  withManifestOf(folder, 'r+', ({ unsigned, signedSize }, file) => {
    const ending = Buffer.from(manifestSignature(sshSign(key, unsigned())));
    ftruncateSync(file, signedSize);
    writeAll(file, ending, signedSize);
  });
}

/**
 * Returns whether the key created the tree's signature. Always false for ECDSA keys, because their signatures are
 * random.
 */
export function isSignedWith(folder: string, key: string): boolean {
  return withManifestOf(folder, 'r', ({ summary: { signature }, unsigned }) => {
    return signature !== undefined && signature === sshSign(key, unsigned());
  });
}

function withManifestOf<T>(folder: string, flags: 'r' | 'r+', work: (manifest: Manifest, file: number) => T): T {
  const open = (file: number) => {
    const manifest = manifestFrom(fileSource(file));
    if (!manifest) throw new Error(`${folder} has no manifest`);
    return work(manifest, file);
  };
  return withFile(join(folder, MANIFEST_FILE), open, flags);
}

/** The ssh-keygen namespace of tree signatures. A signature with another namespace is not valid for a tree. */
const NAMESPACE = 'gridpress';

/** `key` is the file of a private key. A public key is enough if an SSH agent has the private key. */
function sshSign(key: string, message: SignedMessage): string {
  // Rejects pipes, because ssh-keygen would wait for the writer of a pipe.
  const type = readingIfExists(key, () => statSync(key));
  if (!type?.isFile())
    return fail(finding('sign-failed', { key, reason: type ? 'it is not a file' : 'there is no such file' }));
  const { status, stdout, stderr } = inFolder((folder) =>
    sshKeygen(['-Y', 'sign', '-n', NAMESPACE, '-f', key], written(folder, message)),
  );
  if (status === 0) return stdout;
  // Without a terminal, ssh-keygen cannot ask for the passphrase, and reports a wrong passphrase.
  if (stderr.includes('incorrect passphrase')) fail(finding('sign-passphrase', { key }));
  return fail(finding('sign-failed', { key, reason: lastLine(stderr) }));
}

/** Returns the allowed signer who signed a message, or undefined. */
function sshSigner(allowed: string, message: SignedMessage, signature: string): string | undefined {
  if (!readingIfExists(allowed, () => statSync(allowed))?.isFile())
    return fail(finding('no-allowed-signers', { file: allowed }));
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

/** The chunks of a manifest, which can be larger than the memory. */
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
  createFile(path, message, undefined);
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
