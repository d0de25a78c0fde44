import { METHOD_NOT_ALLOWED, NOT_FOUND } from '../api/problem.ts';
import { latestVersionUrl, SNAPSHOTS_PATH, versionsUrl } from '../api/urls.ts';
import { PREFLIGHT_HEADERS } from '../tree/headers.ts';
import { HOSTS_FOLDER, MANIFEST_FILE, PRETTY_FOLDER } from '../tree/layout.ts';
import { assetLimits, ignoreFile, wranglerFile } from './cloudflare-assets.ts';
import { type Host, partly } from './host.ts';
import { escapeRegExp, formPattern, immutablePattern, pathsPattern, SNAPSHOT_PATTERN } from './patterns.ts';
import { NO_FILE_TIMES, NO_RULES } from './plain-hosting.ts';
import {
  DEEP_END,
  DEEP_QUERY,
  HISTORY_END,
  NO_STORE,
  queriedPattern,
  revisionQuery,
  VIEW_EXCEPTIONS,
  viewedPattern,
  viewsUrl,
} from './request-redirects.ts';
import type { HostRules } from './rules.ts';

const FOLDER = `${HOSTS_FOLDER}/cloudflare-worker`;

export const cloudflareWorker: Host = {
  name: 'cloudflare-worker',
  title: 'Cloudflare Workers, a Worker in front of assets',
  evidence: 'emulator',
  variants: { names: [], pretty: true, precompressed: false },
  canRedirectBrowsers: true,
  shortcomings: [
    ...NO_RULES.filter(({ capability }) => capability === 'refusals'),
    NO_FILE_TIMES,
    partly(
      'precompressed',
      'The host compresses the media types that it knows, and makes their ETags weak. It does not know vendor media types.',
      / comes as | has the ETag of /,
    ),
  ],
  limits: assetLimits('workers'),
  files: (rules) =>
    new Map([
      [`${FOLDER}/worker.js`, workerFile(rules)],
      [
        `${FOLDER}/wrangler.jsonc`,
        wranglerFile(
          rules,
          { main: 'worker.js' },
          { binding: 'ASSETS', not_found_handling: 'none', run_worker_first: true },
        ),
      ],
      ['.assetsignore', ignoreFile(rules, [])],
    ]),
};

/**
 * Writes a module without imports. It selects a file by the path, the query and the headers of the request, and sets
 * the headers of the response.
 */
function workerFile(rules: HostRules): string {
  const { prefix, classes, vendorTypes, plainType, problemType, tombstoneFolder } = rules;
  const latest = classes.map((each) => ({
    ...each,
    templates: each.templates.filter((template) => template.endsWith(latestVersionUrl(''))),
  }));
  const constants: Readonly<Record<string, unknown>> = {
    PREFIX: prefix,
    HEADERS: rules.headers,
    PREFLIGHT: PREFLIGHT_HEADERS,
    PLAIN_TYPE: plainType,
    PROBLEM_TYPE: problemType,
    VENDOR_TYPES: vendorTypes ?? null,
    RAW_TYPES: Object.fromEntries(rules.raw.map(({ ending, mediaType }) => [ending, mediaType])),
    MUTABLE: rules.cacheControl.mutable,
    IMMUTABLE: rules.cacheControl.immutable,
    NOT_FOUND,
    NOT_ALLOWED: METHOD_NOT_ALLOWED,
    MANIFEST: `/${MANIFEST_FILE.replace(/\.json$/, '')}`,
    PAGES: Object.fromEntries(rules.pages.map(({ folder, page }) => [folder, page])),
    VIEWS: rules.redirectsBrowsers ? viewsUrl(rules) : null,
    NOT_KEPT: NO_STORE,
    PRETTY: `/${PRETTY_FOLDER}`,
    GONE: `/${tombstoneFolder}`,
    SNAPSHOTS: SNAPSHOTS_PATH,
    DEEP: DEEP_END,
  };
  const patterns: Readonly<Record<string, string>> = {
    DOCUMENTS: pathsPattern(classes),
    RAW: pathsPattern(rules.raw),
    COLLECTIONS: formPattern(rules, 'collection'),
    FEEDS: formPattern(rules, 'feed'),
    UNCHANGING: immutablePattern(rules),
    LATEST: pathsPattern(latest),
    VIEWED: viewedPattern({ prefix: '' }),
    NOT_VIEWED: VIEW_EXCEPTIONS,
    REVISION: revisionQuery(),
    DEEP_ASKED: DEEP_QUERY,
    HISTORY_END,
    RESOURCES: `^${queriedPattern(rules.resources)}`,
    HOLDERS: rules.deep.length === 0 ? NOTHING : `^${queriedPattern(rules.deep)}`,
    SNAPSHOT: `^(${SNAPSHOT_PATTERN})(.*)$`,
    HISTORY: `^(?:/[^/]+)*${escapeRegExp(versionsUrl(''))}(?:/|\\.json$|$)`,
  };
  return [
    "// gridpress: a Worker in front of the tree's files. Generated; do not edit.",
    ...Object.entries(constants).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`),
    ...Object.entries(patterns).map(([name, text]) => `const ${name} = new RegExp(${JSON.stringify(text)});`),
    PROGRAM,
  ].join('\n');
}

const NOTHING = '^$';

const PROGRAM = `
export default {
  async fetch(request, { ASSETS }) {
    const { pathname, search, searchParams } = new URL(request.url);
    if (pathname !== PREFIX && !pathname.startsWith(\`\${PREFIX}/\`)) return ASSETS.fetch(request);
    const isHead = request.method === 'HEAD';
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { ...HEADERS, ...PREFLIGHT } });
    if (request.method !== 'GET' && !isHead) return problem(405, NOT_ALLOWED, isHead);
    const asked = await singlePrefixes(pathname, (snapshot) =>
      ASSETS.fetch(new Request(new URL(\`\${PREFIX}\${snapshot}.json\`, request.url), { method: 'HEAD' })),
    );
    const path = asked.replace(/^\\/index\\.json$|(?<=[^/])(?:\\/index\\.json|\\.json|\\/)$/, '') || '/';
    if (VIEWS !== null && request.headers.get('Sec-Fetch-Dest') === 'document' && search === '' && VIEWED.test(asked) && !NOT_VIEWED.test(asked))
      return new Response(null, { status: 302, headers: { ...HEADERS, 'Cache-Control': NOT_KEPT, Location: VIEWS + path } });
    const page = PAGES[asked.replace(/\\/$/, '')];
    if (page !== undefined) return new Response(null, { status: 307, headers: { ...HEADERS, Location: PREFIX + page } });
    // No uid needs escaping, so paths of documents have no escaped characters.
    // A raw document has one path.
    const isRaw = RAW.test(path) && asked === path;
    if (pathname.includes('%') || !(path === MANIFEST || isRaw || DOCUMENTS.test(path))) return problem(404, NOT_FOUND, isHead);
    const ask = (folder, method) =>
      ASSETS.fetch(new Request(new URL(\`\${PREFIX}\${folder}\${path === '/' ? '/index' : path}\${isRaw ? '' : '.json'}\`, request.url), { method }));
    const queried = queryTarget(path, search.slice(1));
    if (queried !== undefined) {
      const there = await ASSETS.fetch(new Request(new URL(\`\${PREFIX}\${queried.path}.json\`, request.url), { method: 'HEAD' }));
      if (there.status === 200) {
        const location = PREFIX + queried.path + (pathname.endsWith('.json') ? '.json' : '') + (asksPretty(searchParams) ? '?pretty' : '');
        return new Response(null, { status: 302, headers: { ...HEADERS, Location: location } });
      }
      // A revision without such a document returns 404.
      if (queried.isOfRevision) return missing(request, ask, isHead);
    }
    if (LATEST.test(path)) {
      const newest = await ask('', 'GET');
      if (newest.status !== 200) return problem(404, NOT_FOUND, isHead);
      const { uid } = await newest.json();
      const location = \`\${PREFIX}\${path.slice(0, path.lastIndexOf('/') + 1)}\${uid}\${search}\`;
      return new Response(null, { status: 307, headers: { ...HEADERS, Location: location } });
    }
    const isPretty = path !== MANIFEST && !isRaw && wantsPretty(request, searchParams);
    const file = await ask(isPretty ? PRETTY : '', request.method);
    if (file.status !== 200) return missing(request, ask, isHead);
    const etag = file.headers.get('ETag');
    const headers = {
      ...HEADERS,
      'Content-Type': isRaw ? RAW_TYPES[path.slice(path.lastIndexOf('.'))] : mediaType(request, pathname, path),
      'Cache-Control': UNCHANGING.test(path) ? IMMUTABLE : MUTABLE,
      ...(etag === null ? {} : { ETag: etag }),
    };
    if (etag !== null && isKnown(request, etag)) {
      await file.body?.cancel();
      const { 'Content-Type': _, ...validators } = headers;
      return new Response(null, { status: 304, headers: validators });
    }
    return new Response(file.body, { status: 200, headers });
  },
};

/** Removes the prefix. Clients may repeat a prefix or a snapshot, and may request histories below a snapshot. */
async function singlePrefixes(pathname, askFor) {
  const after = (path, start) =>
    path === start || path.startsWith(\`\${start}/\`) ? path.slice(start.length) : path;
  const path = after(after(pathname, PREFIX), PREFIX);
  const [, snapshot, behind] = SNAPSHOT.exec(path) ?? [];
  if (snapshot === undefined) return path;
  const rest = after(behind, PREFIX);
  if (HISTORY.test(rest)) return (await askFor(snapshot)).status === 200 ? rest : path;
  return rest === snapshot || /^(?:\\/|\\.json$)/.test(rest.slice(snapshot.length)) && rest.startsWith(snapshot) ? rest : snapshot + rest;
}

/** The target of a redirect by query: a snapshot or a deep document. */
function queryTarget(path, query) {
  const [, revision] = REVISION.exec(query) ?? [];
  const full = path === '/' ? '/index' : path;
  if (HISTORY_END.test(path) || !RESOURCES.test(full)) return undefined;
  const isDeep = DEEP_ASKED.test(query) && HOLDERS.test(full);
  if (revision === undefined && !isDeep) return undefined;
  const place = path === '/' ? '' : path;
  const asked = revision === undefined ? place : \`\${SNAPSHOTS}/\${revision}\${SNAPSHOT.exec(place)?.[2] ?? place}\`;
  return { path: isDeep ? asked + DEEP : asked, isOfRevision: revision !== undefined };
}

/** Removed resources return their tombstone. */
async function missing(request, ask, isHead) {
  const tombstone = await ask(GONE, request.method);
  return tombstone.status === 200 ? problem(410, tombstone.body, isHead) : problem(404, NOT_FOUND, isHead);
}

function problem(status, body, isHead) {
  return new Response(isHead ? null : body, { status, headers: { ...HEADERS, 'Content-Type': PROBLEM_TYPE } });
}

function wantsPretty(request, parameters) {
  return request.headers.get('X-Rack-PrettyJSON') === 'yes' || asksPretty(parameters);
}

function asksPretty(parameters) {
  const value = parameters.get('pretty');
  return value !== null && !['no', 'false', '0'].includes(value);
}

/** Paths that end in .json, and requests that prefer application/json to the vendor media type, get application/json. */
function mediaType(request, pathname, path) {
  if (VENDOR_TYPES === null || path === MANIFEST || pathname.endsWith('.json')) return PLAIN_TYPE;
  const form = FEEDS.test(path) ? 'feed' : COLLECTIONS.test(path) ? 'collection' : 'item';
  const type = VENDOR_TYPES[form];
  const accept = request.headers.get('Accept') ?? '';
  return quality(accept, PLAIN_TYPE) > quality(accept, type) ? PLAIN_TYPE : \`\${type}; charset=utf-8\`;
}

/** The q-value of a media type in an Accept header; 0 without an entry. */
function quality(accept, type) {
  for (const range of accept.split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (name !== type) continue;
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    return q === undefined ? 1 : Number(q.slice(2)) || 0;
  }
  return 0;
}

function isKnown(request, etag) {
  const known = request.headers.get('If-None-Match');
  if (known === null) return false;
  const strong = (tag) => tag.trim().replace(/^W\\//, '');
  return known.split(',').some((tag) => tag.trim() === '*' || strong(tag) === strong(etag));
}
`;
