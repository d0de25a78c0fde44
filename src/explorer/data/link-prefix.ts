/** What stands before the paths in links, as the grid's link to itself has it: the base path, where links are prefixed. */
import { linkOf } from '../../core/client/pinned-reader.ts';
import { isJsonObject, type Json } from '../../core/model/json.ts';

export function linkPrefix(grid: Json | undefined): string {
  const self = ((isJsonObject(grid) ? linkOf(grid, 'self') : undefined) ?? '').replace(/\/+$/, '');
  return URL.canParse(self) ? new URL(self).pathname.replace(/\/+$/, '') : self;
}

/** The path that a link names. */
export function linkedPath(href: string, prefix: string): string {
  return href.startsWith(prefix) ? href.slice(prefix.length) : href;
}
