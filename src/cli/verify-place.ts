import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding, fail, finding } from '../core/diagnostics/finding.ts';
import { plural } from '../core/diagnostics/words.ts';
import { byCodeUnit } from '../core/model/json.ts';
import { TREE_FOLDER } from '../core/tree/names.ts';
import { type TrustCheck, type Verified, verifyFiles } from '../features/verify/verify-files.ts';
import { rereadOnce } from '../system/client/retry.ts';
import { displayPath } from '../system/files/display-path.ts';
import { readingIfExists } from '../system/files/system-errors.ts';
import { whileShown } from '../system/terminal/progress.ts';
import type { Trust } from '../system/trees/signed-tree.ts';
import { throwNoTree } from '../system/trees/staging.ts';
import { folderFiles } from '../system/trees/tree-files.ts';
import { isTreeFolder } from '../system/trees/tree-folder.ts';

export interface VerifyTreeOptions {
  readonly place: string;
  /** The maximum time for a response, in seconds. */
  readonly timeout: number;
  readonly maxRequests: number;
  /** Whether to accept resources of an old revision that violate the current schemas. */
  readonly older: boolean;
  readonly thorough?: boolean;
  readonly trust: Trust;
  readonly showsProgress: boolean;
  readonly pauseMs?: number;
}

export interface VerifyTreeResult {
  readonly place: string;
  readonly revision: string | undefined;
  readonly digest: string | undefined;
  readonly serial: number | undefined;
  /** The history start. Undefined if the tree includes the whole history. */
  readonly history_since: string | undefined;
  readonly signer: string | undefined;
  readonly files: number;
  readonly findings: readonly Finding[];
}

/** Fails if `place` contains no tree, or if the tree is replaced twice during the verification. */
export async function verifyTree(options: VerifyTreeOptions): Promise<VerifyTreeResult> {
  const verify = await verificationOf(options);
  try {
    const verified = await rereadOnce(
      async () => (await verify.once()) ?? fail(finding('place-moved', { place: verify.place })),
      verify.refresh,
    );
    const { manifest, trusted, files } = verified;
    const { revision, digest, serial, history_since } = manifest?.summary ?? {};
    const findings = [...(trusted?.findings ?? []), ...verified.findings];
    return {
      place: verify.place,
      revision,
      digest,
      serial,
      history_since,
      signer: trusted?.signer,
      files,
      findings: findings.toSorted((a, b) => byCodeUnit(a.place?.file ?? '', b.place?.file ?? '')),
    };
  } finally {
    verify.close();
  }
}

interface Verification {
  readonly place: string;
  readonly once: () => Promise<Verified | undefined>;
  readonly refresh: () => void;
  readonly close: () => void;
}

async function trustCheck(trust: Trust): Promise<TrustCheck | undefined> {
  if (trust.allowedSigners === undefined && trust.minSerial === undefined) return undefined;
  const { checkTrust } = await import('../system/trees/signed-tree.ts');
  return (manifest) => checkTrust(manifest, trust);
}

interface Task extends Omit<VerifyTreeOptions, 'trust'> {
  readonly trust: TrustCheck | undefined;
}

async function verificationOf(given: VerifyTreeOptions): Promise<Verification> {
  const options: Task = { ...given, trust: await trustCheck(given.trust) };
  const { place } = options;
  if (isUrl(place)) return await overHttp(options);
  const status = readingIfExists(displayPath(place), () => statSync(place));
  if (status?.isFile() !== true) return inFolder(options);
  return (await isArchive(place, status.size)) ? await inArchive(options) : await inBundle(options);
}

export function isUrl(place: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(place);
}

/** Tests the file name first, because the first bytes of a damaged file do not show its kind. */
async function isArchive(file: string, size: number): Promise<boolean> {
  if (size > 0 && file.endsWith('.tar.gz')) return true;
  const { kindOfFile } = await import('../features/bundle/kind-of-file.ts');
  const kind = kindOfFile(file);
  return kind === 'archive' || (kind === 'tar' && file.endsWith('.tar'));
}

async function inBundle({ place, trust, showsProgress }: Task): Promise<Verification> {
  const { verifyBundle } = await import('../features/bundle/bundle-reader.ts');
  const once = () =>
    whileShown('Verifying', showsProgress, async (onProgress) => verifyBundle(place, { trust, onProgress }));
  return { place: displayPath(place), once, refresh: () => {}, close: () => {} };
}

async function inArchive({ place, older, trust, showsProgress }: Task): Promise<Verification> {
  const { verifyArchive } = await import('../features/archive/verify-archive.ts');
  const once = () =>
    whileShown('Verifying', showsProgress, (onProgress) =>
      verifyArchive(place, { fields: older ? 'any' : 'typed', trust, onProgress }),
    );
  return { place: displayPath(place), once, refresh: () => {}, close: () => {} };
}

function inFolder({ place: folder, older, trust, showsProgress }: Task): Verification {
  const place = displayPath(folder);
  const tree = join(folder, TREE_FOLDER);
  if (!isTreeFolder(folder) && isTreeFolder(tree))
    return fail(finding('archive-unpacked', { folder: place, tree: displayPath(tree) }));
  if (!isTreeFolder(folder)) return throwNoTree(folder);
  const once = () =>
    whileShown('Verifying', showsProgress, (onProgress) =>
      verifyFiles(folderFiles(folder), { fields: older ? 'any' : 'typed', trust, onProgress }),
    );
  return { place, once, refresh: () => {}, close: () => {} };
}

async function overHttp(given: Task): Promise<Verification> {
  const { timeout, older, trust, thorough = false, showsProgress, ...options } = given;
  const { apiOverHttp, withinLimit } = await import('../system/client/api-over-http.ts');
  const { verifyUrl } = await import('../features/verify/verify-url.ts');
  const site = apiOverHttp({ ...options, base: options.place, timeoutMs: timeout * 1000 });
  const once = () =>
    whileShown('Verifying', showsProgress, (onProgress) =>
      verifyUrl(site, { fields: older ? 'any' : 'typed', trust, checksOtherPaths: thorough, onProgress }),
    );
  return { place: options.place, once: () => withinLimit(once), refresh: site.refresh, close: site.close };
}

export function describeVerified(result: VerifyTreeResult): string {
  const { place, revision, digest, signer, files, findings, history_since } = result;
  if (findings.length > 0) return `${place}: ${plural(findings.length, 'finding')}.\n`;
  const signed = signer === undefined ? '' : `, signed by ${signer}`;
  const since = history_since === undefined ? '' : `, history only since ${history_since}`;
  return `${place} is complete and unaltered: ${plural(files, 'file')}, revision ${revision}${since}, digest ${digest}${signed}.\n`;
}
