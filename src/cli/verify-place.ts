import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding, fail, finding } from '../core/diagnostics/finding.ts';
import { plural } from '../core/diagnostics/words.ts';
import { byCodeUnit } from '../core/model/json.ts';
import { TREE_FOLDER } from '../core/tree/names.ts';
import { type FilesOptions, type TrustCheck, type Verified, verifyFiles } from '../features/verify/verify-files.ts';
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
  const { place, verify, refresh, close } = await verificationOf(options);
  const once = async () =>
    (await whileShown('Verifying', options.showsProgress, verify)) ?? fail(finding('place-moved', { place }));
  try {
    const verified = await rereadOnce(once, refresh);
    const { manifest, trusted, files } = verified;
    const { revision, digest, serial, history_since } = manifest?.summary ?? {};
    const findings = [...(trusted?.findings ?? []), ...verified.findings];
    return {
      place,
      revision,
      digest,
      serial,
      history_since,
      signer: trusted?.signer,
      files,
      findings: findings.toSorted((a, b) => byCodeUnit(a.place?.file ?? '', b.place?.file ?? '')),
    };
  } finally {
    close();
  }
}

interface Verification {
  readonly place: string;
  /** Returns undefined if another tree replaces the tree meanwhile. */
  readonly verify: (onProgress: (done: number, total: number) => void) => Promise<Verified | undefined>;
  readonly refresh: () => void;
  readonly close: () => void;
}

async function trustCheck(trust: Trust): Promise<TrustCheck | undefined> {
  if (trust.allowedSigners === undefined && trust.minSerial === undefined) return undefined;
  const { checkTrust } = await import('../system/trees/signed-tree.ts');
  return (manifest) => checkTrust(manifest, trust);
}

interface Task extends Pick<VerifyTreeOptions, 'place' | 'timeout' | 'maxRequests' | 'thorough' | 'pauseMs'> {
  readonly fields: FilesOptions['fields'];
  readonly trust: TrustCheck | undefined;
}

async function verificationOf({ older, ...given }: VerifyTreeOptions): Promise<Verification> {
  const options: Task = { ...given, fields: older ? 'any' : 'typed', trust: await trustCheck(given.trust) };
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

/** Files need no refresh and no closing. */
function ofFiles(path: string, verify: Verification['verify']): Verification {
  return { place: displayPath(path), verify, refresh: () => {}, close: () => {} };
}

async function inBundle({ place, trust }: Task): Promise<Verification> {
  const { verifyBundle } = await import('../features/bundle/bundle-reader.ts');
  return ofFiles(place, async (onProgress) => verifyBundle(place, { trust, onProgress }));
}

async function inArchive({ place, fields, trust }: Task): Promise<Verification> {
  const { verifyArchive } = await import('../features/archive/verify-archive.ts');
  return ofFiles(place, (onProgress) => verifyArchive(place, { fields, trust, onProgress }));
}

function inFolder({ place: folder, fields, trust }: Task): Verification {
  const place = displayPath(folder);
  const tree = join(folder, TREE_FOLDER);
  if (!isTreeFolder(folder) && isTreeFolder(tree))
    return fail(finding('archive-unpacked', { folder: place, tree: displayPath(tree) }));
  if (!isTreeFolder(folder)) return throwNoTree(folder);
  return ofFiles(folder, (onProgress) => verifyFiles(folderFiles(folder), { fields, trust, onProgress }));
}

async function overHttp(given: Task): Promise<Verification> {
  const { timeout, fields, trust, thorough = false, ...options } = given;
  const { apiOverHttp, withinLimit } = await import('../system/client/api-over-http.ts');
  const { verifyUrl } = await import('../features/verify/verify-url.ts');
  const site = apiOverHttp({ ...options, base: options.place, timeoutMs: timeout * 1000 });
  const verify: Verification['verify'] = (onProgress) =>
    withinLimit(() => verifyUrl(site, { fields, trust, checksOtherPaths: thorough, onProgress }));
  return { place: options.place, verify, refresh: site.refresh, close: site.close };
}

export function describeVerified(result: VerifyTreeResult): string {
  const { place, revision, digest, signer, files, findings, history_since } = result;
  if (findings.length > 0) return `${place}: ${plural(findings.length, 'finding')}.\n`;
  const signed = signer === undefined ? '' : `, signed by ${signer}`;
  const since = history_since === undefined ? '' : `, history only since ${history_since}`;
  return `${place} is complete and unaltered: ${plural(files, 'file')}, revision ${revision}${since}, digest ${digest}${signed}.\n`;
}
