/** Of which endpoints a query may ask for the past, or for all that is below. */
import type { Content, Endpoint } from '../api/endpoints.ts';

const OF_STATE: readonly Content[] = ['resource', 'resources', 'deep', 'legacy-item', 'legacy-collection'];

/** Whether snapshots have such a path too, so that it can be asked for as it was. */
export function isOfState({ content }: Pick<Endpoint, 'content'>): boolean {
  return OF_STATE.includes(content);
}

/** Whether the path is of an item that all below it can be shown with, at a path of its own. */
export function holdsOthers({ content, kind }: Pick<Endpoint, 'content' | 'kind'>): boolean {
  return content === 'resource' && kind.children.length > 0;
}
