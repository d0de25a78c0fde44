/** GitHub Pages: two files that keep it from changing the tree and make a miss a problem document; nothing else can be set. */
import { NOT_FOUND } from '../../api/problem.ts';
import type { Host } from '../host.ts';
import {
  CHOSEN_BY_PATH,
  COMPRESSED_ON_THE_WAY,
  NO_ACCEPT,
  NO_GONE,
  NO_RULES,
  namesOnly,
  ONE_ETAG,
} from '../plain-hosting.ts';

export const githubPages: Host = {
  name: 'github-pages',
  title: 'GitHub Pages',
  evidence: 'documentation',
  variants: namesOnly('{path}.html', '{path}/index.html'),
  shortcomings: [
    {
      capability: 'media-types',
      extent: 'partly',
      why: 'Only pages answer without their ending: X and X/ are text/html, X.json is application/json. A TimeMap in the link format is application/octet-stream.',
      covers: /^\S*(?<!\.json) is (?:text\/html;charset=utf-8|application\/octet-stream), not /,
    },
    NO_ACCEPT,
    {
      capability: 'cache-classes',
      extent: 'none',
      why: 'Everything may be kept for ten minutes: headers cannot be set.',
    },
    {
      capability: 'headers',
      extent: 'partly',
      why: 'Headers cannot be set; Access-Control-Allow-Origin: * is sent by itself.',
      covers: / has (?!access-control-allow-origin: )/,
    },
    ONE_ETAG,
    { capability: 'last-modified', extent: 'none', why: 'Last-Modified is the time of the deployment.' },
    {
      capability: 'not-found',
      extent: 'partly',
      why: 'The problem document is a page: a miss is text/html. Files of the tree that are no documents are answered.',
      covers: / is 404 as text\/html;|^\/(?:(?:sites\/)?index|40[45]\.json|404|_gone\/\S+\.json) answers 200, not 404$/,
    },
    {
      capability: 'method-not-allowed',
      extent: 'partly',
      why: 'Other methods are 405 in the words of GitHub, without a problem document.',
      covers: / is 405 /,
    },
    ...CHOSEN_BY_PATH,
    ...NO_RULES,
    COMPRESSED_ON_THE_WAY,
    NO_GONE,
    {
      capability: 'latest',
      extent: 'none',
      why: 'There are no redirects: versions/latest answers the newest version itself.',
    },
  ],
  limits: [
    {
      of: 'tree-size',
      most: 1_000_000_000,
      source: 'docs.github.com/pages/getting-started-with-github-pages/github-pages-limits: 1 GB for a published site',
    },
  ],
  files: ({ pages }) =>
    new Map([
      ['.nojekyll', ''],
      ['404.html', NOT_FOUND],
      ...pages.map(({ folder, page }) => [`${folder.slice(1)}/index.html`, leadingTo(page)] as const),
    ]),
};

/** The index of a page's folder, where only a page can lead elsewhere. */
function leadingTo(page: string): string {
  const name = page.slice(page.lastIndexOf('/') + 1);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=${name}">
<title>Moved</title>
<p><a href="${name}">This page is here.</a></p>
</html>
`;
}
