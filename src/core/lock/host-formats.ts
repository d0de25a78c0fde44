/** Guesses the format of a file with host names, so that an error can suggest the correct option of `lock`. */

import { isJsonObject, type Json, parsedJson } from '../model/json.ts';

export type HostFormat = 'manifest' | 'oar' | 'lease' | 'lock' | 'list';

/** Returns undefined if the text names no nodes, or is JSON of an unknown form. */
export function hostFormatOf(text: string): HostFormat | undefined {
  if (/^\s*</.test(text)) return 'manifest';
  if (!/^\s*[[{]/.test(text)) return isHostList(text) ? 'list' : undefined;
  const value = parsedJson(text);
  if (isJsonObject(value) && 'gridpress_lock' in value) return 'lock';
  if (hasAny(value, ['assigned_nodes', 'assigned_network_address'])) return 'oar';
  return hasAny(value, ['reservations', 'allocations', 'hypervisor_hostname']) ? 'lease' : undefined;
}

/** Returns the `lock` option that accepts a file of this format. */
export function lockOptionOf(format: HostFormat | undefined): string | undefined {
  if (format === undefined || format === 'lock') return undefined;
  return format === 'list' ? '--hosts' : `--from-${format}`;
}

function hasAny(value: Json | undefined, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return [value, ...Object.values(value)].some(
    (held) => isJsonObject(held) && names.some((name) => Object.hasOwn(held, name)),
  );
}

/** Whether each line is empty, a comment, a host or a host list. */
function isHostList(text: string): boolean {
  const names = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  return names.some((name) => name !== '') && names.every((name) => /^[\w.,[\]/-]*$/.test(name));
}
