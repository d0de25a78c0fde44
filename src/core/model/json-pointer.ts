/** JSON pointers (RFC 6901): how fields are named. */
import { isJsonObject, type Json } from './json.ts';

/** The tokens of a JSON pointer; undefined when it is not one. */
export function pointerTokens(pointer: string): string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  const tokens = pointer.slice(1).split('/');
  return pointer.includes('~') ? tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')) : tokens;
}

export function escapeToken(key: string): string {
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
}

export function isIndex(token: string): boolean {
  return /^(0|[1-9][0-9]*)$/.test(token);
}

export function valueAt(value: Json, pointer: string): Json | undefined {
  let here: Json | undefined = value;
  for (const token of pointerTokens(pointer) ?? []) {
    if (Array.isArray(here)) here = isIndex(token) ? here[Number(token)] : undefined;
    else here = isJsonObject(here) && Object.hasOwn(here, token) ? here[token] : undefined;
    if (here === undefined) return undefined;
  }
  return here;
}
