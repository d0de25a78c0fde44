import type { Form } from '../api/endpoints.ts';
import { VIEWED_TEMPLATES } from '../api/explorer/explorer-paths.ts';
import { METHOD_NOT_ALLOWED, NOT_FOUND, PRECONDITION_FAILED, RANGE_NOT_SATISFIABLE } from '../api/problem.ts';
import { latestVersionUrl, SNAPSHOTS_PATH, versionsUrl } from '../api/urls.ts';
import { PREFLIGHT_HEADERS } from '../tree/headers.ts';
import { HOSTS_FOLDER, MANIFEST_FILE, NOT_ALLOWED_FILE, NOT_FOUND_FILE, PRETTY_FOLDER } from '../tree/layout.ts';
import { formatHeaders, hiddenPaths } from './patterns.ts';
import { BROWSER_HEADER, BROWSER_VALUE, DEEP_END, NO_STORE, viewsUrl } from './request-redirects.ts';
import type { HostRules } from './rules.ts';

/** Maps each `versions/latest` path to its target. */
export const TARGETS_FILE = `${HOSTS_FOLDER}/lighttpd/latest.txt`;

export function scriptFile(rules: HostRules): string {
  const { prefix, problemType, tombstoneFolder, vendorTypes, plainType } = rules;
  const problems = [NOT_FOUND_FILE, NOT_ALLOWED_FILE].map((file) => `/${file.replace(/\.json$/, '')}`);
  return `-- gridpress: the handler of requests, for mod_magnet. Generated; do not edit.
local r = lighty.r
local match = string.match
local prefix = ${quoted(prefix)}
local root = r.req_attr["physical.doc-root"] .. prefix

${formatHeaders(rules.headers, (name, value) => `r.resp_header[${quoted(name)}] = ${quoted(value)}\n`)}
local function problem(status, part)
  r.resp_header["Content-Type"] = ${quoted(problemType)}
  r.resp_body.set({ part })
  return status
end

-- Whether a single range begins after the end of the document: the server would reject it with its own error page. It
-- would reject other ranges, too, so the script removes them.
local function is_beyond(size)
  local range = r.req_header["Range"]
  if not range or r.req_header["If-Range"] then return false end
  local first, last = match(range, "^bytes=(%d*)-(%d*)$")
  if not first or first .. last == "" or (tonumber(last) or size) < (tonumber(first) or 0) then
    r.req_header["Range"] = nil
    return false
  end
  if first == "" then return tonumber(last) == 0 end
  return tonumber(first) >= size
end

-- A date as digits in the order of time; nil for an invalid date.
local function in_order(date)
  local day, month, year, hour, minute, second = match(date or "", "^%a+, (%d%d) (%a%a%a) (%d%d%d%d) (%d%d):(%d%d):(%d%d) GMT$")
  local number = day and string.find("JanFebMarAprMayJunJulAugSepOctNovDec", month, 1, true)
  return number and year .. string.format("%02d", (number + 2) / 3) .. day .. hour .. minute .. second
end

-- Whether If-Match or If-Unmodified-Since fails. The server ignores both.
local function is_other(etag, modified)
  local tags, date = r.req_header["If-Match"], in_order(r.req_header["If-Unmodified-Since"])
  if tags then return not match(tags, "^%s*%*%s*$") and not string.find(tags, etag, 1, true) end
  return date ~= nil and date < in_order(modified)
end

local function not_found()
  return problem(404, ${quoted(NOT_FOUND)})
end

local function after(path, start)
  local rest = string.sub(path, #start + 1)
  if string.sub(path, 1, #start) == start and (rest == "" or match(rest, "^/")) then return rest end
end

-- The path without prefix; nil for paths outside of the prefix. Clients may repeat a prefix or a snapshot, and may
-- request histories below a snapshot.
local function single_prefixes(path)
  path = after(path, prefix)
  if not path then return nil end
  path = after(path, prefix) or path
  local snapshot, rest = match(path, ${quoted(`^(${luaPattern(SNAPSHOTS_PATH)}/%x+)(.*)$`)})
  if not snapshot then return path end
  rest = after(rest, prefix) or rest
  local history = match(rest .. "/", ${quoted(luaPattern(versionsUrl('')))} .. "/") or match(rest, ${quoted(luaPattern(versionsUrl('')))} .. "%.json$")
  if history and lighty.c.stat(root .. snapshot .. ".json") then return rest end
  if string.sub(rest, 1, #snapshot) == snapshot then return rest end
  return snapshot .. rest
end

-- The path without prefix and suffix, "/index" for the root; nil for paths that cannot be documents. Segments have the
-- characters and lengths of uids.
local function document_of(path)
  if path == prefix .. ${quoted(`/${MANIFEST_FILE}`)} then return ${quoted(`/${MANIFEST_FILE.replace(/\.json$/, '')}`)} end
  path = single_prefixes(string.gsub(path, "//+", "/"))
  if not path then return nil end
${hiddenPaths({ ...rules, prefix: '' })
  .map((hidden) => `  if path == ${quoted(hidden)} then return path end\n`)
  .join('')}  for segment in string.gmatch(path, "[^/]+") do
    if #segment > 133 or not match(segment, "^[A-Za-z0-9~-][A-Za-z0-9._~-]*$") then return nil end
  end
  if path == "" or path == "/" or path == "/index.json" then return "/index" end
  local stem = match(path, "^(.+)/index%.json$") or match(path, "^(.+)%.json$") or match(path, "^(.+)/$") or path
  if match(stem, "/index$") or ${problems.map((path) => `stem == ${quoted(path)}`).join(' or ')} then return nil end
  return stem
end

-- The newest version of each history. The script reads the file again when it changes.
local function target_of(document)
  local file = root .. ${quoted(`/${TARGETS_FILE}`)}
  local status = lighty.c.stat(file)
  if not status then return nil end
  local known = package.loaded[file]
  if not known or known.time ~= status.st_mtime or known.size ~= status.st_size then
    known = { time = status.st_mtime, size = status.st_size, targets = {} }
    for line in io.lines(file) do
      local from, to = match(line, "^(%S+) (%S+)$")
      if from then known.targets[from] = to end
    end
    package.loaded[file] = known
  end
  return known.targets[document]
end

-- The q-value of an entry in a header; 0 without an entry.
local function quality(header, wanted)
  for part in string.gmatch(string.lower(header or ""), "[^,]+") do
    if match(part, "^%s*([^;%s]+)") == wanted then return tonumber(match(part, ";%s*q=([%d.]+)") or "1") or 0 end
  end
  return 0
end

local function accepts(header, wanted)
  return quality(header, wanted) > 0
end

local function asks_pretty(query)
  query = "&" .. query .. "&"
  local value = match(query, "&pretty=([^&]*)&")
  return string.find(query, "&pretty&", 1, true) ~= nil
    or (value ~= nil and value ~= "no" and value ~= "false" and value ~= "0")
end

local function wants_pretty(query)
  return r.req_header["X-Rack-PrettyJSON"] == "yes" or asks_pretty(query)
end

local function is_immutable(path)
  return ${alternatives([...rules.classes, ...rules.raw].filter(({ cache }) => cache === 'immutable'))}
end

-- The media type of a raw document; nil for other paths.
local function raw_type(path)
${rules.raw.map((each) => `  if ${alternatives([each])} then return ${quoted(each.mediaType)} end\n`).join('')}  return nil
end

${typing(rules)}
local method = r.req_attr["request.method"]
if method == "OPTIONS" then
${formatHeaders(PREFLIGHT_HEADERS, (name, value) => `  r.resp_header[${quoted(name)}] = ${quoted(value)}\n`)}  return 204
end
if method ~= "GET" and method ~= "HEAD" then return problem(405, ${quoted(METHOD_NOT_ALLOWED)}) end

local path = r.req_attr["uri.path"]
local query = r.req_attr["uri.query"] or ""
local document = document_of(path)
if not document then return not_found() end
${browserRedirect(rules)}${rules.pages
  .map(
    ({ folder, page }) => `if document == ${quoted(folder)} and not match(path, "%.json$") then
  r.resp_header["Location"] = prefix .. ${quoted(page)}
  return 307
end
`,
  )
  .join('')}if match(document, ${quoted(`${luaPattern(latestVersionUrl(''))}$`)}) then
  local target = target_of(document)
  if target then
    r.resp_header["Location"] = prefix .. target .. (query ~= "" and "?" .. query or "")
    return 307
  end
end

-- Removed resources return their tombstone.
local function miss()
  local tombstone = root .. ${quoted(`/${tombstoneFolder}`)} .. document .. ".json"
  if lighty.c.stat(tombstone) then return problem(410, { filename = tombstone }) end
  return not_found()
end

${queryRedirect(rules)}local raw = match(path, "[^/]$") and single_prefixes(path) == document and raw_type(document) or nil
local file = root .. document .. (raw and "" or ".json")
if not raw and wants_pretty(query) then
  local pretty = root .. ${quoted(`/${PRETTY_FOLDER}`)} .. document .. ".json"
  if lighty.c.stat(pretty) then file = pretty end
end
if not lighty.c.stat(file) then return miss() end
local type = raw or type_of(path, document)
local codings = { { "br", ".br" }, { "gzip", ".gz" } }
local encoding = r.req_header["Accept-Encoding"]
-- mod_deflate ignores q-values.
if not accepts(encoding, "gzip") then r.req_header["Accept-Encoding"] = nil end
if quality(encoding, "gzip") > quality(encoding, "br") then codings = { codings[2], codings[1] } end
-- Clients that request vendor media types cannot decode, even if they send Accept-Encoding.
${vendorTypes ? `if not raw and type ~= ${quoted(plainType)} then codings = {} end\n` : ''}for _, coding in ipairs(codings) do
  if accepts(encoding, coding[1]) and lighty.c.stat(file .. coding[2]) then
    r.resp_header["Content-Encoding"] = coding[1]
    file = file .. coding[2]
    break
  end
end
local status = lighty.c.stat(file)
local size = status.st_size
if is_beyond(size) then
  r.resp_header["Content-Encoding"] = nil
  r.resp_header["Content-Range"] = "bytes */" .. size
  return problem(416, ${quoted(RANGE_NOT_SATISFIABLE)})
end
local modified = os.date("!%a, %d %b %Y %H:%M:%S GMT", status.st_mtime)
-- A later date says nothing: a document can have an earlier time than other bytes had at its URL.
if r.req_header["If-Modified-Since"] ~= modified then r.req_header["If-Modified-Since"] = nil end
if is_other(status.etag, modified) then
  r.resp_header["Content-Encoding"] = nil
  return problem(412, ${quoted(PRECONDITION_FAILED)})
end
r.resp_header["Content-Type"] = type
r.resp_header["Cache-Control"] = ${quoted(rules.cacheControl.mutable)}
if is_immutable(document) then
  r.resp_header["Cache-Control"] = ${quoted(rules.cacheControl.immutable)}
  -- The date of a version or of a document in a snapshot (RFC 7089).
  r.resp_header["Memento-Datetime"] = modified
end
r.req_attr["physical.path"] = file
`;
}

function browserRedirect(rules: HostRules): string {
  if (!rules.redirectsBrowsers) return '';
  return `local view = document == "/index" and "/" or document
local function is_viewed(path)
  return not match(path, ${quoted(`${luaPattern(versionsUrl(''))}$`)}) and (${alternatives([{ templates: VIEWED_TEMPLATES }])})
end
if r.req_header["${BROWSER_HEADER}"] == "${BROWSER_VALUE}" and query == "" and not match(path, "%.json$") and is_viewed(view) then
  r.resp_header["Cache-Control"] = "${NO_STORE}"
  r.resp_header["Location"] = ${quoted(viewsUrl(rules))} .. view
  return 302
end
`;
}

function queryRedirect(rules: HostRules): string {
  const snapshot = luaPattern(SNAPSHOTS_PATH);
  return `-- The revision in a query: the first value of 40 digits.
local function revision_in(query)
  for part in string.gmatch(query, "[^&]+") do
    local value = match(part, "^version=(%x+)$")
    if value and #value == 40 then return value end
  end
end

local function is_resource(path)
  return ${alternatives([{ templates: rules.resources }])}
end

-- Whether an item has a deep document.
local function has_deep(path)
  return ${rules.deep.length === 0 ? 'false' : alternatives([{ templates: rules.deep }])}
end

local is_deep = string.find("&" .. query .. "&", "&deep=1&", 1, true) or string.find("&" .. query .. "&", "&deep=true&", 1, true)
local revision = revision_in(query)
if (revision or is_deep) and not match(document, ${quoted(`${luaPattern(versionsUrl(''))}$`)}) then
  local within, place = match(document, ${quoted(`^(${snapshot}/%x+)(.*)$`)})
  if not within then within, place = "", document == "/index" and "" or document end
  if is_resource(place == "" and "/" or place) then
    is_deep = is_deep and has_deep(place == "" and "/" or place)
    local target = (revision and ${quoted(`${SNAPSHOTS_PATH}/`)} .. revision or within) .. place .. (is_deep and ${quoted(DEEP_END)} or "")
    if (revision or is_deep) and lighty.c.stat(root .. target .. ".json") then
      r.resp_header["Location"] = prefix .. target .. (match(path, "%.json$") or "") .. (asks_pretty(query) and "?pretty" or "")
      return 302
    end
    -- A revision without such a document returns 404.
    if revision then return miss() end
  end
end
`;
}

function typing(rules: HostRules): string {
  const { vendorTypes, plainType } = rules;
  if (!vendorTypes) return `local function type_of()\n  return ${quoted(plainType)}\nend\n`;
  const of = (wanted: Form) => alternatives(rules.classes.filter(({ form }) => form === wanted));
  const typed = (form: Form) => quoted(`${vendorTypes[form]}; charset=utf-8`);
  return `local function is_collection(path)
  return ${of('collection')}
end

local function is_feed(path)
  return ${of('feed')}
end

-- Paths that end in .json, and requests for application/json without a vendor media type, get application/json.
local function type_of(path, document)
  local accept = string.lower(r.req_header["Accept"] or "")
  local wants_vendor = ${Object.values(vendorTypes)
    .map((type) => `accepts(accept, ${quoted(type)})`)
    .join(' or ')}
  if match(path, "%.json$") or (accepts(accept, ${quoted(plainType)}) and not wants_vendor) then return ${quoted(plainType)} end
  return is_feed(document) and ${typed('feed')} or is_collection(document) and ${typed('collection')} or ${typed('item')}
end
`;
}

/** Tests a path against each template in turn, because a Lua pattern cannot contain alternatives. */
function alternatives(classes: readonly Pick<HostRules['raw'][number], 'templates'>[]): string {
  return classes
    .flatMap(({ templates }) => templates)
    .map((template) => `match(path, ${quoted(`^${luaPattern(template)}$`)})`)
    .join('\n    or ');
}

function luaPattern(template: string): string {
  return template
    .split('/')
    .map((segment) => {
      if (segment === '{version_id}') return '%x+';
      return segment.startsWith('{') ? '[^/]+' : segment.replace(/[^A-Za-z0-9]/g, '%$&');
    })
    .join('/');
}

/** Quotes a Lua string, with decimal escapes (Lua 5.1, section 2.1). */
export function quoted(text: string): string {
  const escaped = text.replace(/["\\\p{Cc}]/gu, (character) =>
    /["\\]/.test(character) ? `\\${character}` : `\\${String(character.charCodeAt(0)).padStart(3, '0')}`,
  );
  return `"${escaped}"`;
}
