/** Links of an API whose paths have something before them: what stands there. */
import { endpointOf } from './endpoints.ts';

/** What stands before the path of the API in a link; nothing in one that has no prefix, or leads elsewhere. */
export function basePathBefore(href: string): string {
  let base = '';
  for (const segment of href.split('/').slice(1)) {
    if (endpointOf(href.slice(base.length)) !== undefined) return base;
    base += `/${segment}`;
  }
  return '';
}
