/** Where the bytes of a manifest lie: in memory, in a file, in an archive. They are read piece by piece. */
import { runningDigest } from '../../platform/digests.ts';

export interface ManifestSource {
  /** Bytes. */
  readonly size: number;
  /** So many bytes from a place on, fewer where it ends before; valid until the next call. */
  readonly read: (from: number, length: number) => Uint8Array;
}

export function bytesSource(bytes: Uint8Array): ManifestSource {
  return { size: bytes.length, read: (from, length) => bytes.subarray(from, from + length) };
}

export const MANIFEST_CHUNK_BYTES = 1 << 20;

/** The bytes up to a place, by default from the beginning, each chunk valid until the next one. */
export function* chunksUpTo({ read }: ManifestSource, end: number, start = 0): Generator<Uint8Array> {
  for (let from = start; from < end; ) {
    const chunk = read(from, Math.min(MANIFEST_CHUNK_BYTES, end - from));
    if (chunk.length === 0) return;
    yield chunk;
    from += chunk.length;
  }
}

export function digestOfSource(source: ManifestSource): string {
  const whole = runningDigest();
  for (const chunk of chunksUpTo(source, source.size)) whole.update(chunk);
  return whole.end();
}

/** Where a text of ASCII characters first stands in bytes; -1 where it does not. */
export function indexOfText(bytes: Uint8Array, text: string): number {
  for (let at = 0; at <= bytes.length - text.length; at++) if (standsAt(bytes, at, text)) return at;
  return -1;
}

export function lastIndexOfText(bytes: Uint8Array, text: string): number {
  const first = text.charCodeAt(0);
  let at = bytes.length - text.length;
  while (at >= 0) {
    at = bytes.lastIndexOf(first, at);
    if (at < 0 || standsAt(bytes, at, text)) return at;
    at--;
  }
  return -1;
}

function standsAt(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });

export function textOf(bytes: Uint8Array): string {
  return UTF_8.decode(bytes);
}
