/** The paths of what shows an item with all that is below it in one response. No kind has a collection of this name. */
import { joinPath } from '../../model/resource-path.ts';
import { resourceUrl } from '../urls.ts';

/** What follows the path of an item; the relation of links to it, too. */
export const DEEP = 'deep';

/** An item that holds others, below a base as `resourceUrl` has it. */
export function deepUrl(path: string, base = ''): string {
  return resourceUrl(joinPath(path, DEEP), base);
}
