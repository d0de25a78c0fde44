-- gridpress: the handler of requests, for mod_magnet. Generated; do not edit.
local r = lighty.r
local match = string.match
local prefix = "/api/v1"
local root = r.req_attr["physical.doc-root"] .. prefix

r.resp_header["Allow"] = "GET"
r.resp_header["Vary"] = "Accept, X-Rack-PrettyJSON, Accept-Encoding"
r.resp_header["Link"] = "</api/v1/changes>; rel=monitor, </api/v1/openapi.json>; rel=service-desc, </api/v1/docs/index.htm>; rel=service-doc, </api/v1/links.json>; rel=describedby, </api/v1/explorer/index.htm>; rel=alternate; type=\"text/html\", </api/v1/explorer/dataset.linkset>; rel=linkset; type=\"application/linkset+json\""
r.resp_header["Access-Control-Allow-Origin"] = "*"
r.resp_header["Access-Control-Expose-Headers"] = "ETag, Link, Last-Modified, Content-Length"
r.resp_header["X-Content-Type-Options"] = "nosniff"
r.resp_header["Strict-Transport-Security"] = "max-age=31536000; includeSubDomains"

local function problem(status, part)
  r.resp_header["Content-Type"] = "application/problem+json"
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
  return problem(404, "{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404,\"detail\":\"No resource has this path. Start at the root and follow its links.\"}")
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
  local snapshot, rest = match(path, "^(/snapshots/%x+)(.*)$")
  if not snapshot then return path end
  rest = after(rest, prefix) or rest
  local history = match(rest .. "/", "/versions" .. "/") or match(rest, "/versions" .. "%.json$")
  if history and lighty.c.stat(root .. snapshot .. ".json") then return rest end
  if string.sub(rest, 1, #snapshot) == snapshot then return rest end
  return snapshot .. rest
end

-- The path without prefix and suffix, "/index" for the root; nil for paths that cannot be documents. Segments have the
-- characters and lengths of uids.
local function document_of(path)
  if path == prefix .. "/_manifest.json" then return "/_manifest" end
  path = single_prefixes(string.gsub(path, "//+", "/"))
  if not path then return nil end
  for segment in string.gmatch(path, "[^/]+") do
    if #segment > 133 or not match(segment, "^[A-Za-z0-9~-][A-Za-z0-9._~-]*$") then return nil end
  end
  if path == "" or path == "/" or path == "/index.json" then return "/index" end
  local stem = match(path, "^(.+)/index%.json$") or match(path, "^(.+)%.json$") or match(path, "^(.+)/$") or path
  if match(stem, "/index$") or stem == "/404" or stem == "/405" then return nil end
  return stem
end

-- The newest version of each history. The script reads the file again when it changes.
local function target_of(document)
  local file = root .. "/_hosts/lighttpd/latest.txt"
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
  return match(path, "^/versions/%x+$")
    or match(path, "^/sites/versions/%x+$")
    or match(path, "^/sites/[^/]+/versions/%x+$")
    or match(path, "^/sites/[^/]+/clusters/versions/%x+$")
    or match(path, "^/sites/[^/]+/clusters/[^/]+/versions/%x+$")
    or match(path, "^/sites/[^/]+/clusters/[^/]+/nodes/versions/%x+$")
    or match(path, "^/sites/[^/]+/clusters/[^/]+/nodes/[^/]+/versions/%x+$")
    or match(path, "^/sites/[^/]+/flavors/versions/%x+$")
    or match(path, "^/sites/[^/]+/flavors/[^/]+/versions/%x+$")
    or match(path, "^/sites/[^/]+/servers/versions/%x+$")
    or match(path, "^/sites/[^/]+/servers/[^/]+/versions/%x+$")
    or match(path, "^/sites/[^/]+/pdus/versions/%x+$")
    or match(path, "^/sites/[^/]+/pdus/[^/]+/versions/%x+$")
    or match(path, "^/sites/[^/]+/network%_equipments/versions/%x+$")
    or match(path, "^/sites/[^/]+/network%_equipments/[^/]+/versions/%x+$")
    or match(path, "^/sites/[^/]+/environments/versions/%x+$")
    or match(path, "^/sites/[^/]+/environments/[^/]+/versions/%x+$")
    or match(path, "^/network%_equipments/versions/%x+$")
    or match(path, "^/network%_equipments/[^/]+/versions/%x+$")
    or match(path, "^/environments/versions/%x+$")
    or match(path, "^/environments/[^/]+/versions/%x+$")
    or match(path, "^/snapshots/%x+$")
    or match(path, "^/snapshots/%x+/deep$")
    or match(path, "^/snapshots/%x+/sites/[^/]+$")
    or match(path, "^/snapshots/%x+/sites/[^/]+/deep$")
    or match(path, "^/snapshots/%x+/sites/[^/]+/clusters/[^/]+$")
    or match(path, "^/snapshots/%x+/sites/[^/]+/clusters/[^/]+/deep$")
    or match(path, "^/snapshots/%x+/sites/[^/]+/clusters/[^/]+/nodes/[^/]+$")
    or match(path, "^/snapshots/%x+/sites/[^/]+/flavors/[^/]+$")
    or match(path, "^/snapshots/%x+/sites/[^/]+/servers/[^/]+$")
    or match(path, "^/snapshots/%x+/sites/[^/]+/pdus/[^/]+$")
    or match(path, "^/snapshots/%x+/sites/[^/]+/network%_equipments/[^/]+$")
    or match(path, "^/snapshots/%x+/sites/[^/]+/environments/[^/]+$")
    or match(path, "^/snapshots/%x+/network%_equipments/[^/]+$")
    or match(path, "^/snapshots/%x+/environments/[^/]+$")
    or match(path, "^/snapshots/%x+/sites$")
    or match(path, "^/snapshots/%x+/sites/[^/]+/clusters$")
    or match(path, "^/snapshots/%x+/sites/[^/]+/clusters/[^/]+/nodes$")
    or match(path, "^/snapshots/%x+/sites/[^/]+/flavors$")
    or match(path, "^/snapshots/%x+/sites/[^/]+/servers$")
    or match(path, "^/snapshots/%x+/sites/[^/]+/pdus$")
    or match(path, "^/snapshots/%x+/sites/[^/]+/network%_equipments$")
    or match(path, "^/snapshots/%x+/sites/[^/]+/environments$")
    or match(path, "^/snapshots/%x+/network%_equipments$")
    or match(path, "^/snapshots/%x+/environments$")
end

-- The media type of a raw document; nil for other paths.
local function raw_type(path)
  if match(path, "^/versions/timemap%.link$")
    or match(path, "^/sites/[^/]+/versions/timemap%.link$")
    or match(path, "^/sites/[^/]+/clusters/[^/]+/versions/timemap%.link$")
    or match(path, "^/sites/[^/]+/clusters/[^/]+/nodes/[^/]+/versions/timemap%.link$")
    or match(path, "^/sites/[^/]+/flavors/[^/]+/versions/timemap%.link$")
    or match(path, "^/sites/[^/]+/servers/[^/]+/versions/timemap%.link$")
    or match(path, "^/sites/[^/]+/pdus/[^/]+/versions/timemap%.link$")
    or match(path, "^/sites/[^/]+/network%_equipments/[^/]+/versions/timemap%.link$")
    or match(path, "^/sites/[^/]+/environments/[^/]+/versions/timemap%.link$")
    or match(path, "^/network%_equipments/[^/]+/versions/timemap%.link$")
    or match(path, "^/environments/[^/]+/versions/timemap%.link$") then return "application/link-format" end
  if match(path, "^/changes/feed%.atom$")
    or match(path, "^/sites/[^/]+/changes/feed%.atom$") then return "application/atom+xml" end
  if match(path, "^/versions/%x+/badge%.svg$")
    or match(path, "^/sites/[^/]+/clusters/[^/]+/nodes/[^/]+/badge%.svg$")
    or match(path, "^/explorer/icon%.svg$") then return "image/svg+xml" end
  if match(path, "^/exports/changes%.csv$")
    or match(path, "^/exports/nodes%.csv$")
    or match(path, "^/exports/sites/[^/]+/nodes%.csv$") then return "text/csv; charset=utf-8" end
  if match(path, "^/exports/hardware%.md$") then return "text/markdown; charset=utf-8" end
  if match(path, "^/exports/hardware%.htm$")
    or match(path, "^/docs/index%.htm$")
    or match(path, "^/explorer/index%.htm$") then return "text/html; charset=utf-8" end
  if match(path, "^/exports/nodes%.ndjson$")
    or match(path, "^/exports/sites/[^/]+/nodes%.ndjson$") then return "application/x-ndjson" end
  if match(path, "^/exports/inventory%.yaml$")
    or match(path, "^/exports/sites/[^/]+/inventory%.yaml$") then return "application/yaml" end
  if match(path, "^/docs/style%.css$")
    or match(path, "^/explorer/explorer%.css$") then return "text/css; charset=utf-8" end
  if match(path, "^/llms%.txt$") then return "text/plain; charset=utf-8" end
  if match(path, "^/explorer/explorer%.js$")
    or match(path, "^/explorer/more%.js$")
    or match(path, "^/explorer/exports%.js$")
    or match(path, "^/explorer/data%.js$")
    or match(path, "^/explorer/history%.js$")
    or match(path, "^/explorer/past%.js$") then return "text/javascript; charset=utf-8" end
  if match(path, "^/explorer/dataset%.jsonld$") then return "application/ld+json" end
  if match(path, "^/explorer/dataset%.linkset$") then return "application/linkset+json" end
  return nil
end

local function type_of()
  return "application/json"
end

local method = r.req_attr["request.method"]
if method == "OPTIONS" then
  r.resp_header["Allow"] = "GET, HEAD, OPTIONS"
  r.resp_header["Access-Control-Allow-Headers"] = "Accept, If-Modified-Since, If-None-Match, If-Range, Range, X-Rack-PrettyJSON"
  r.resp_header["Access-Control-Max-Age"] = "86400"
  return 204
end
if method ~= "GET" and method ~= "HEAD" then return problem(405, "{\"type\":\"about:blank\",\"title\":\"Method Not Allowed\",\"status\":405,\"detail\":\"The API is read-only: use GET or HEAD.\"}") end

local path = r.req_attr["uri.path"]
local query = r.req_attr["uri.query"] or ""
local document = document_of(path)
if not document then return not_found() end
if document == "/docs" and not match(path, "%.json$") then
  r.resp_header["Location"] = prefix .. "/docs/index.htm"
  return 307
end
if document == "/explorer" and not match(path, "%.json$") then
  r.resp_header["Location"] = prefix .. "/explorer/index.htm"
  return 307
end
if match(document, "/versions/latest$") then
  local target = target_of(document)
  if target then
    r.resp_header["Location"] = prefix .. target .. (query ~= "" and "?" .. query or "")
    return 307
  end
end

-- Removed resources return their tombstone.
local function miss()
  local tombstone = root .. "/_gone" .. document .. ".json"
  if lighty.c.stat(tombstone) then return problem(410, { filename = tombstone }) end
  return not_found()
end

-- The revision in a query: the first value of 40 digits.
local function revision_in(query)
  for part in string.gmatch(query, "[^&]+") do
    local value = match(part, "^version=(%x+)$")
    if value and #value == 40 then return value end
  end
end

local function is_resource(path)
  return match(path, "^/$")
    or match(path, "^/deep$")
    or match(path, "^/sites$")
    or match(path, "^/sites/[^/]+$")
    or match(path, "^/sites/[^/]+/deep$")
    or match(path, "^/sites/[^/]+/clusters$")
    or match(path, "^/sites/[^/]+/clusters/[^/]+$")
    or match(path, "^/sites/[^/]+/clusters/[^/]+/deep$")
    or match(path, "^/sites/[^/]+/clusters/[^/]+/nodes$")
    or match(path, "^/sites/[^/]+/clusters/[^/]+/nodes/[^/]+$")
    or match(path, "^/sites/[^/]+/flavors$")
    or match(path, "^/sites/[^/]+/flavors/[^/]+$")
    or match(path, "^/sites/[^/]+/servers$")
    or match(path, "^/sites/[^/]+/servers/[^/]+$")
    or match(path, "^/sites/[^/]+/pdus$")
    or match(path, "^/sites/[^/]+/pdus/[^/]+$")
    or match(path, "^/sites/[^/]+/network%_equipments$")
    or match(path, "^/sites/[^/]+/network%_equipments/[^/]+$")
    or match(path, "^/sites/[^/]+/environments$")
    or match(path, "^/sites/[^/]+/environments/[^/]+$")
    or match(path, "^/network%_equipments$")
    or match(path, "^/network%_equipments/[^/]+$")
    or match(path, "^/environments$")
    or match(path, "^/environments/[^/]+$")
end

-- Whether an item has a deep document.
local function has_deep(path)
  return match(path, "^/$")
    or match(path, "^/sites/[^/]+$")
    or match(path, "^/sites/[^/]+/clusters/[^/]+$")
end

local is_deep = string.find("&" .. query .. "&", "&deep=1&", 1, true) or string.find("&" .. query .. "&", "&deep=true&", 1, true)
local revision = revision_in(query)
if (revision or is_deep) and not match(document, "/versions$") then
  local within, place = match(document, "^(/snapshots/%x+)(.*)$")
  if not within then within, place = "", document == "/index" and "" or document end
  if is_resource(place == "" and "/" or place) then
    is_deep = is_deep and has_deep(place == "" and "/" or place)
    local target = (revision and "/snapshots/" .. revision or within) .. place .. (is_deep and "/deep" or "")
    if (revision or is_deep) and lighty.c.stat(root .. target .. ".json") then
      r.resp_header["Location"] = prefix .. target .. (match(path, "%.json$") or "") .. (asks_pretty(query) and "?pretty" or "")
      return 302
    end
    -- A revision without such a document returns 404.
    if revision then return miss() end
  end
end
local raw = match(path, "[^/]$") and single_prefixes(path) == document and raw_type(document) or nil
local file = root .. document .. (raw and "" or ".json")
if not raw and wants_pretty(query) then
  local pretty = root .. "/_pretty" .. document .. ".json"
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
for _, coding in ipairs(codings) do
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
  return problem(416, "{\"type\":\"about:blank\",\"title\":\"Range Not Satisfiable\",\"status\":416,\"detail\":\"The document ends before the range begins.\"}")
end
local modified = os.date("!%a, %d %b %Y %H:%M:%S GMT", status.st_mtime)
-- A later date says nothing: a document can have an earlier time than other bytes had at its URL.
if r.req_header["If-Modified-Since"] ~= modified then r.req_header["If-Modified-Since"] = nil end
if is_other(status.etag, modified) then
  r.resp_header["Content-Encoding"] = nil
  return problem(412, "{\"type\":\"about:blank\",\"title\":\"Precondition Failed\",\"status\":412,\"detail\":\"The document differs from the one that If-Match or If-Unmodified-Since requires.\"}")
end
r.resp_header["Content-Type"] = type
r.resp_header["Cache-Control"] = "public, max-age=60, s-maxage=60, must-revalidate, proxy-revalidate"
if is_immutable(document) then
  r.resp_header["Cache-Control"] = "public, max-age=31536000, immutable"
  -- The date of a version or of a document in a snapshot (RFC 7089).
  r.resp_header["Memento-Datetime"] = modified
end
r.req_attr["physical.path"] = file
