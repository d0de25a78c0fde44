// gridpress: a Worker in front of the tree's files. Generated; do not edit.
const PREFIX = "";
const HEADERS = {"Allow":"GET","Vary":"Accept, X-Rack-PrettyJSON, Accept-Encoding","Link":"</changes>; rel=monitor, </openapi.json>; rel=service-desc, </docs/index.htm>; rel=service-doc, </links.json>; rel=describedby, </explorer/index.htm>; rel=alternate; type=\"text/html\", </explorer/dataset.linkset>; rel=linkset; type=\"application/linkset+json\", </.well-known/api-catalog>; rel=api-catalog","Access-Control-Allow-Origin":"*","Access-Control-Expose-Headers":"ETag, Link, Last-Modified, Content-Length","X-Content-Type-Options":"nosniff","Strict-Transport-Security":"max-age=31536000"};
const PREFLIGHT = {"Allow":"GET, HEAD, OPTIONS","Access-Control-Allow-Headers":"Accept, If-Modified-Since, If-None-Match, If-Range, Range, X-Rack-PrettyJSON","Access-Control-Max-Age":"86400"};
const PLAIN_TYPE = "application/json";
const PROBLEM_TYPE = "application/problem+json";
const VENDOR_TYPES = null;
const RAW_TYPES = {".link":"application/link-format",".atom":"application/atom+xml",".svg":"image/svg+xml",".csv":"text/csv; charset=utf-8",".md":"text/markdown; charset=utf-8",".htm":"text/html; charset=utf-8",".ndjson":"application/x-ndjson",".yaml":"application/yaml",".css":"text/css; charset=utf-8",".well-known/api-catalog":"application/linkset+json",".txt":"text/plain; charset=utf-8",".js":"text/javascript; charset=utf-8",".jsonld":"application/ld+json",".linkset":"application/linkset+json"};
const MUTABLE = "public, max-age=60, s-maxage=60, must-revalidate, proxy-revalidate";
const IMMUTABLE = "public, max-age=31536000, immutable";
const NOT_FOUND = "{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404,\"detail\":\"No resource has this path. Start at the root and follow its links.\"}";
const NOT_ALLOWED = "{\"type\":\"about:blank\",\"title\":\"Method Not Allowed\",\"status\":405,\"detail\":\"The API is read-only: use GET or HEAD.\"}";
const MANIFEST = "/_manifest";
const PAGES = {"/docs":"/docs/index.htm","/explorer":"/explorer/index.htm"};
const VIEWS = null;
const NOT_KEPT = "no-store";
const PRETTY = "/_pretty";
const GONE = "/_gone";
const SNAPSHOTS = "/snapshots";
const DEEP = "/deep";
const DOCUMENTS = new RegExp("^(?:/(?:|deep|links|openapi|conformance)|/versions(?:/(?:latest|timemap|[0-9a-f]{40})|/pages/[^/]+)?|/sites(?:/versions(?:/(?:latest|[0-9a-f]{40})|/pages/[^/]+)?|/[^/]+(?:/deep|/versions(?:/(?:latest|timemap|[0-9a-f]{40})|/pages/[^/]+)?|/clusters(?:/versions(?:/(?:latest|[0-9a-f]{40})|/pages/[^/]+)?|/[^/]+(?:/deep|/versions(?:/(?:latest|timemap|[0-9a-f]{40})|/pages/[^/]+)?|/nodes(?:/versions(?:/(?:latest|[0-9a-f]{40})|/pages/[^/]+)?|/[^/]+(?:/versions(?:/(?:latest|timemap|[0-9a-f]{40})|/pages/[^/]+)?)?)?)?)?|/(?:flavors|servers|pdus|network_equipments|environments)(?:/versions(?:/(?:latest|[0-9a-f]{40})|/pages/[^/]+)?|/[^/]+(?:/versions(?:/(?:latest|timemap|[0-9a-f]{40})|/pages/[^/]+)?)?)?|/changes(?:/pages/[^/]+|/feed)?)?)?|/(?:network_equipments|environments)(?:/versions(?:/(?:latest|[0-9a-f]{40})|/pages/[^/]+)?|/[^/]+(?:/versions(?:/(?:latest|timemap|[0-9a-f]{40})|/pages/[^/]+)?)?)?|/nodes(?:/table(?:/rows/[^/]+)?|/(?:facets|history|search)|/(?:by-name|pages)/[^/]+|/by(?:/[^/]+/[^/]+)?)?|/exports(?:/(?:datapackage|prometheus)|/sites/[^/]+/prometheus)|/schemas/[^/]+|/changes(?:/pages/[^/]+|/feed)?|/snapshots(?:/[0-9a-f]{40}(?:/deep|/sites(?:/[^/]+(?:/deep|/clusters(?:/[^/]+(?:/deep|/nodes(?:/[^/]+)?)?)?|/(?:flavors|servers|pdus|network_equipments|environments)(?:/[^/]+)?)?)?|/(?:network_equipments|environments)(?:/[^/]+)?)?)?)$");
const RAW = new RegExp("^(?:/versions(?:/timemap\\.link|/[0-9a-f]{40}/badge\\.svg)|/sites/[^/]+(?:/versions/timemap\\.link|/clusters/[^/]+(?:/versions/timemap\\.link|/nodes/[^/]+(?:/versions/timemap\\.link|/badge\\.svg))|/(?:flavors|servers|pdus|network_equipments|environments)/[^/]+/versions/timemap\\.link|/changes/feed\\.atom)|/(?:network_equipments|environments)/[^/]+/versions/timemap\\.link|/changes/feed\\.atom|/explorer/(?:icon\\.svg|index\\.htm|explorer\\.css|explorer\\.js|more\\.js|exports\\.js|data\\.js|history\\.js|past\\.js|dataset\\.jsonld|dataset\\.linkset)|/exports(?:/(?:changes\\.csv|nodes\\.csv|hardware\\.md|hardware\\.htm|nodes\\.ndjson|inventory\\.yaml)|/sites/[^/]+/(?:nodes\\.csv|nodes\\.ndjson|inventory\\.yaml))|/docs/(?:index\\.htm|style\\.css)|/\\.well-known/api-catalog|/llms\\.txt)$");
const COLLECTIONS = new RegExp("^(?:/(?:versions|changes)(?:/pages/[^/]+)?|/sites(?:/versions(?:/pages/[^/]+)?|/[^/]+(?:/(?:versions|changes)(?:/pages/[^/]+)?|/clusters(?:/versions(?:/pages/[^/]+)?|/[^/]+(?:/versions(?:/pages/[^/]+)?|/nodes(?:/versions(?:/pages/[^/]+)?|/[^/]+/versions(?:/pages/[^/]+)?)?))?|/(?:flavors|servers|pdus|network_equipments|environments)(?:/versions(?:/pages/[^/]+)?|/[^/]+/versions(?:/pages/[^/]+)?)?))?|/(?:network_equipments|environments)(?:/versions(?:/pages/[^/]+)?|/[^/]+/versions(?:/pages/[^/]+)?)?|/snapshots(?:/[0-9a-f]{40}(?:/sites(?:/[^/]+(?:/clusters(?:/[^/]+/nodes)?|/(?:flavors|servers|pdus|network_equipments|environments)))?|/(?:network_equipments|environments)))?|/nodes(?:/pages/[^/]+|/search|/by(?:/[^/]+/[^/]+)?)?)$");
const FEEDS = new RegExp("^(?:/changes/feed|/sites/[^/]+/changes/feed)$");
const UNCHANGING = new RegExp("^(?:/versions/[0-9a-f]{40}|/sites(?:/versions/[0-9a-f]{40}|/[^/]+(?:/versions/[0-9a-f]{40}|/clusters(?:/versions/[0-9a-f]{40}|/[^/]+(?:/versions/[0-9a-f]{40}|/nodes(?:/versions/[0-9a-f]{40}|/[^/]+/versions/[0-9a-f]{40})))|/(?:flavors|servers|pdus|network_equipments|environments)(?:/versions/[0-9a-f]{40}|/[^/]+/versions/[0-9a-f]{40})))|/(?:network_equipments|environments)(?:/versions/[0-9a-f]{40}|/[^/]+/versions/[0-9a-f]{40})|/snapshots/[0-9a-f]{40}(?:/deep|/sites(?:/[^/]+(?:/deep|/clusters(?:/[^/]+(?:/deep|/nodes(?:/[^/]+)?)?)?|/(?:flavors|servers|pdus|network_equipments|environments)(?:/[^/]+)?)?)?|/(?:network_equipments|environments)(?:/[^/]+)?)?)$");
const LATEST = new RegExp("^(?:/versions/latest|/sites(?:/versions/latest|/[^/]+(?:/versions/latest|/clusters(?:/versions/latest|/[^/]+(?:/versions/latest|/nodes(?:/versions/latest|/[^/]+/versions/latest)))|/(?:flavors|servers|pdus|network_equipments|environments)(?:/versions/latest|/[^/]+/versions/latest)))|/(?:network_equipments|environments)(?:/versions/latest|/[^/]+/versions/latest))$");
const VIEWED = new RegExp("^((?:/(?:|nodes|changes)|/sites(?:/[A-Za-z0-9~-][A-Za-z0-9._~-]*(?:/clusters/[A-Za-z0-9~-][A-Za-z0-9._~-]*/nodes/[A-Za-z0-9~-][A-Za-z0-9._~-]*)?)?))/?$");
const NOT_VIEWED = new RegExp("(?:\\.json|/versions)/?$");
const REVISION = new RegExp("(?:^|&)version=([0-9A-Fa-f]{40})(?:&|$)");
const DEEP_ASKED = new RegExp("(?:^|&)deep=(?:1|true)(?:&|$)");
const HISTORY_END = new RegExp("/versions$");
const RESOURCES = new RegExp("^(?:/index|(?:/snapshots/[0-9a-f]{40})?((?:/deep|/sites(?:/[^/]+(?:/deep|/clusters(?:/[^/]+(?:/deep|/nodes(?:/[^/]+)?)?)?|/(?:flavors|servers|pdus|network_equipments|environments)(?:/[^/]+)?)?)?|/(?:network_equipments|environments)(?:/[^/]+)?))|/snapshots/[0-9a-f]{40})$");
const HOLDERS = new RegExp("^(?:/index|(?:/snapshots/[0-9a-f]{40})?(/sites/[^/]+(?:/clusters/[^/]+)?)|/snapshots/[0-9a-f]{40})$");
const SNAPSHOT = new RegExp("^(/snapshots/[0-9a-f]{40})(.*)$");
const HISTORY = new RegExp("^(?:/[^/]+)*/versions(?:/|\\.json$|$)");

export default {
  async fetch(request, { ASSETS }) {
    const { pathname, search, searchParams } = new URL(request.url);
    if (pathname !== PREFIX && !pathname.startsWith(`${PREFIX}/`)) return ASSETS.fetch(request);
    const isHead = request.method === 'HEAD';
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { ...HEADERS, ...PREFLIGHT } });
    if (request.method !== 'GET' && !isHead) return problem(405, NOT_ALLOWED, isHead);
    const asked = await singlePrefixes(pathname, (snapshot) =>
      ASSETS.fetch(new Request(new URL(`${PREFIX}${snapshot}.json`, request.url), { method: 'HEAD' })),
    );
    const path = asked.replace(/^\/index\.json$|(?<=[^/])(?:\/index\.json|\.json|\/)$/, '') || '/';
    if (VIEWS !== null && request.headers.get('Sec-Fetch-Dest') === 'document' && search === '' && VIEWED.test(asked) && !NOT_VIEWED.test(asked))
      return new Response(null, { status: 302, headers: { ...HEADERS, 'Cache-Control': NOT_KEPT, Location: VIEWS + path } });
    const page = PAGES[asked.replace(/\/$/, '')];
    if (page !== undefined) return new Response(null, { status: 307, headers: { ...HEADERS, Location: PREFIX + page } });
    // No uid needs escaping, so paths of documents have no escaped characters.
    // A raw document has one path.
    const isRaw = RAW.test(path) && asked === path;
    if (pathname.includes('%') || !(path === MANIFEST || isRaw || DOCUMENTS.test(path))) return problem(404, NOT_FOUND, isHead);
    const ask = (folder, method) =>
      ASSETS.fetch(new Request(new URL(`${PREFIX}${folder}${path === '/' ? '/index' : path}${isRaw ? '' : '.json'}`, request.url), { method }));
    const queried = queryTarget(path, search.slice(1));
    if (queried !== undefined) {
      const there = await ASSETS.fetch(new Request(new URL(`${PREFIX}${queried.path}.json`, request.url), { method: 'HEAD' }));
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
      const location = `${PREFIX}${path.slice(0, path.lastIndexOf('/') + 1)}${uid}${search}`;
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
    path === start || path.startsWith(`${start}/`) ? path.slice(start.length) : path;
  const path = after(after(pathname, PREFIX), PREFIX);
  const [, snapshot, behind] = SNAPSHOT.exec(path) ?? [];
  if (snapshot === undefined) return path;
  const rest = after(behind, PREFIX);
  if (HISTORY.test(rest)) return (await askFor(snapshot)).status === 200 ? rest : path;
  return rest === snapshot || /^(?:\/|\.json$)/.test(rest.slice(snapshot.length)) && rest.startsWith(snapshot) ? rest : snapshot + rest;
}

/** The target of a redirect by query: a snapshot or a deep document. */
function queryTarget(path, query) {
  const [, revision] = REVISION.exec(query) ?? [];
  const full = path === '/' ? '/index' : path;
  if (HISTORY_END.test(path) || !RESOURCES.test(full)) return undefined;
  const isDeep = DEEP_ASKED.test(query) && HOLDERS.test(full);
  if (revision === undefined && !isDeep) return undefined;
  const place = path === '/' ? '' : path;
  const asked = revision === undefined ? place : `${SNAPSHOTS}/${revision}${SNAPSHOT.exec(place)?.[2] ?? place}`;
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
  return quality(accept, PLAIN_TYPE) > quality(accept, type) ? PLAIN_TYPE : `${type}; charset=utf-8`;
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
  const strong = (tag) => tag.trim().replace(/^W\//, '');
  return known.split(',').some((tag) => tag.trim() === '*' || strong(tag) === strong(etag));
}
