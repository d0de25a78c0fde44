/** What comes after finding nodes: commands and programs with their uids, to be run as they are or after a few words. */
import { fail } from '../diagnostics/failure.ts';
import { finding } from '../diagnostics/finding.ts';
import { curlSnippet } from './curl.ts';
import { execoSnippet } from './execo.ts';
import { openstackSnippet } from './openstack.ts';
import { pythonChiSnippet } from './python-chi.ts';
import type { SnippetContext, SnippetName, SnippetNode } from './snippet-context.ts';

const SNIPPETS: Readonly<Record<SnippetName, (context: SnippetContext) => string[]>> = {
  'python-chi': pythonChiSnippet,
  openstack: openstackSnippet,
  execo: execoSnippet,
  curl: curlSnippet,
};

/** Nothing that stands in a path needs quotes in a shell or a program. */
const NAME = /^[A-Za-z0-9._~-]+$/;
const LONGEST_NAME = 100;

/** The lines of a snippet; where nodes are of several sites, with a part for each. */
export function snippet(
  name: SnippetName,
  nodes: readonly SnippetNode[],
  siteNames: ReadonlyMap<string, string>,
  baseUrl: string | undefined,
): string[] {
  const bySite = new Map<string, SnippetNode[]>();
  for (const node of nodes) {
    for (const field of ['site', 'cluster', 'uid'] as const) requireName(node[field], field);
    const known = bySite.get(node.site);
    if (known) known.push(node);
    else bySite.set(node.site, [node]);
  }
  const sites = [...bySite].map(([uid, members]) => ({
    uid,
    name: oneLine(siteNames.get(uid) ?? uid),
    nodes: members,
  }));
  return SNIPPETS[name]({ sites, baseUrl });
}

function requireName(uid: string, field: string): void {
  if (!NAME.test(uid) || uid.startsWith('-')) fail(finding('snippet-uid', { uid, field }));
}

/** What others may write as they like, without what ends a line or turns it round. */
function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').slice(0, LONGEST_NAME);
}
