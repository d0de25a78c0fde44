/** The nodes' own documents, a line each, from whichever host publishes them. */
import type { SnippetContext } from './snippet-context.ts';

export function curlSnippet({ sites, baseUrl }: SnippetContext): string[] {
  const paths = sites.flatMap(({ nodes }) =>
    nodes.map(({ site, cluster, uid }) => `sites/${site}/clusters/${cluster}/nodes/${uid}`),
  );
  return [
    baseUrl === undefined ? `: "\${BASE:?Set it to the base URL of the API.}"` : `BASE=${quoted(baseUrl)}`,
    'while read -r path; do',
    '  curl -sSf "$BASE/$path.json" && echo',
    "done <<'PATHS'",
    ...paths,
    'PATHS',
  ];
}

/** In single quotes of a shell, without the slash at its end. */
function quoted(url: string): string {
  return `'${url.replace(/\/+$/, '').replaceAll("'", "'\\''")}'`;
}
