/** What may stand before every path of the API. */
import { type Finding, finding } from '../diagnostics/finding.ts';
import type { Kinds } from '../model/kinds.ts';
import { withoutTrailing } from '../platform/without-trailing.ts';
import { endpointOf, endpointsOf } from './endpoints.ts';

const segmentOf = (path: string) => path.split('/')[1] ?? '';

/** The name of an API with which a base path begins: what follows would be the one and the other. */
export function nameTaken(basePath: string, kinds: Kinds): string | undefined {
  const name = segmentOf(basePath);
  const isTaken = name !== '' && endpointsOf(kinds).some(({ template }) => segmentOf(template) === name);
  return isTaken ? name : undefined;
}

/** What is wrong with a base URL: hosts and ports that no URL has, and a path that is not the base path. */
export function baseUrlFinding(url: string, basePath: string): Finding | undefined {
  const spelled = URL.canParse(url) ? withoutTrailing(new URL(url).href, '/') : undefined;
  if (spelled !== url) return finding('base-url', { url, spelled });
  const path = withoutTrailing(new URL(url).pathname, '/');
  return path === basePath ? undefined : finding('base-url-path', { url, path, basePath });
}

/** What stands before the path of the API in a link; nothing in one that has no prefix, or leads elsewhere. */
export function basePathBefore(href: string): string {
  let base = '';
  for (const segment of href.split('/').slice(1)) {
    if (endpointOf(href.slice(base.length)) !== undefined) return base;
    base += `/${segment}`;
  }
  return '';
}
