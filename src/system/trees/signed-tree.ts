/** The signature in the manifest of a tree: putting it there, and asking whose it is. */

import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import type { ManifestText } from '../../core/tree/manifest.ts';
import { manifestText, signedManifest } from './manifest-bytes.ts';
import { sshSign, sshSigner } from './ssh-signature.ts';

/** What is asked of a manifest before it is believed. */
export interface Trust {
  /** A file of signers, as ssh-keygen takes it (ALLOWED SIGNERS), one of whom must have signed it. */
  readonly allowedSigners?: string | undefined;
  /** The least serial that is no old tree. */
  readonly minSerial?: number | undefined;
}

export interface Trusted {
  /** Who signed it, where that was asked. */
  readonly signer: string | undefined;
  readonly findings: readonly Finding[];
}

/** Asks it of a manifest, or of the listing that was read from one. */
export function checkTrust(
  { summary, unsigned }: Pick<ManifestText, 'summary' | 'unsigned'>,
  { allowedSigners, minSerial }: Trust,
): Trusted {
  const { serial, signature } = summary;
  const place = { file: MANIFEST_FILE };
  const findings: Finding[] = [];
  if (minSerial !== undefined && (serial ?? 0) < minSerial)
    findings.push({ ...finding('serial-old', { serial, least: minSerial }), place });
  if (allowedSigners === undefined) return { signer: undefined, findings };
  const signer = signature === undefined ? undefined : sshSigner(allowedSigners, unsigned(), signature);
  if (signature === undefined) findings.push({ ...finding('unsigned', {}), place });
  else if (signer === undefined)
    findings.push({ ...finding('signer-unknown', { allowed: allowedSigners }), place });
  return { signer, findings };
}

/** Signs a tree that nobody reads yet, anew if it is signed. */
export function signTree(folder: string, key: string): void {
  const text = manifestIn(folder);
  if (!text) throw new Error(`${folder} has no manifest`);
  const chunks = signedManifest(text, sshSign(key, text.unsigned()));
  const file = openSync(join(folder, MANIFEST_FILE), 'w');
  try {
    for (const chunk of chunks) writeFileSync(file, chunk);
  } finally {
    closeSync(file);
  }
}

/** Whether a tree has the signature that a key gives. Where a key never gives the same twice (ECDSA), it has not. */
export function isSignedWith(folder: string, key: string): boolean {
  const text = manifestIn(folder);
  return text?.summary.signature !== undefined && text.summary.signature === sshSign(key, text.unsigned());
}

function manifestIn(folder: string): ManifestText | undefined {
  return manifestText(readFileSync(join(folder, MANIFEST_FILE)));
}
