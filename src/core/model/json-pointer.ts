/** JSON pointers (RFC 6901). */
import { isJsonObject, type Json } from './json.ts';

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
  return (pointerTokens(pointer) ?? []).reduce<Json | undefined>(memberOf, value);
}

export function memberOf(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return isIndex(key) ? value[Number(key)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
