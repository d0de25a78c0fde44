/** Links in documents, and what stands before their paths: the base path, where links are prefixed. */
import { isJsonObject, itemsIn, type JsonObject } from '../../core/model/json.ts';

/** Where the first link of a relation leads; undefined where there is none. */
export function linkTo({ links }: JsonObject, rel: string): string | undefined {
  const link = itemsIn(links).find((each) => isJsonObject(each) && each['rel'] === rel);
  const href = isJsonObject(link) ? link['href'] : undefined;
  return typeof href === 'string' ? href : undefined;
}

/** As the grid's link to itself has it. */
export function linkPrefix(grid: JsonObject): string {
  const self = (linkTo(grid, 'self') ?? '').replace(/\/+$/, '');
  return URL.canParse(self) ? new URL(self).pathname.replace(/\/+$/, '') : self;
}
