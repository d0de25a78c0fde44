/** The signature in the manifest of a tree: putting it there, and asking whose it is. */

import { ftruncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import { manifestSignature } from '../../core/tree/manifest/manifest.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { manifestFrom } from './manifest-file.ts';
import { fileSource, withFile } from './manifest-summary.ts';
import { sshSign, sshSigner } from './ssh-signature.ts';

/** What is asked of a manifest before it is believed. */
export interface Trust {
  /** A file of signers, as ssh-keygen takes it (ALLOWED SIGNERS), one of whom must have signed it. */
  readonly allowedSigners?: string | undefined;
  /** The least serial that is no old tree. */
  readonly minSerial?: number | undefined;
}

export interface Trusted {
  readonly signer: string | undefined;
  readonly findings: readonly Finding[];
}

export function checkTrust({ summary, unsigned }: Manifest, { allowedSigners, minSerial }: Trust): Trusted {
  const { serial, signature } = summary;
  const place = { file: MANIFEST_FILE };
  const findings: Finding[] = [];
  if (minSerial !== undefined && (serial ?? 0) < minSerial)
    findings.push({ ...finding('serial-old', { serial, least: minSerial }), place });
  if (allowedSigners === undefined) return { signer: undefined, findings };
  const signer = signature === undefined ? undefined : sshSigner(allowedSigners, unsigned(), signature);
  if (signature === undefined) findings.push({ ...finding('unsigned', {}), place });
  else if (signer === undefined) findings.push({ ...finding('signer-unknown', { allowed: allowedSigners }), place });
  return { signer, findings };
}

/** Signs a tree that nobody reads yet, anew if it is signed. */
export function signTree(folder: string, key: string): void {
  withManifestOf(folder, 'r+', ({ unsigned, signedSize }, file) => {
    const ending = Buffer.from(manifestSignature(sshSign(key, unsigned())));
    ftruncateSync(file, signedSize);
    for (let at = 0; at < ending.length; ) at += writeSync(file, ending, at, ending.length - at, signedSize + at);
  });
}

/** Whether a tree has the signature that a key gives. Where a key never gives the same twice (ECDSA), it has not. */
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
