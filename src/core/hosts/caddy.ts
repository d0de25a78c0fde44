import { METHOD_NOT_ALLOWED, NOT_FOUND } from '../api/problem.ts';
import { latestVersionUrl, SNAPSHOTS_PATH, versionsUrl } from '../api/urls.ts';
import { PREFLIGHT_HEADERS } from '../tree/headers.ts';
import { HOSTS_FOLDER, MANIFEST_FILE, PRETTY_FOLDER } from '../tree/layout.ts';
import { type Host, ONLY_NEWEST_DATE, partly, SERVER } from './host.ts';
import {
  ACCEPTS_JSON,
  escapeRegExp,
  formatHeaders,
  formPattern,
  hiddenPaths,
  immutablePattern,
  manifestPattern,
  namesVendor,
  optionalPrefix,
  rawPattern,
  requestPattern,
  rootPattern,
  SNAPSHOT_PATTERN,
  SUFFIX,
  shadowPattern,
} from './patterns.ts';
import {
  BROWSER_HEADER,
  BROWSER_VALUE,
  DEEP_END,
  DEEP_QUERY,
  deepInPlacePattern,
  HISTORY_END,
  NO_STORE,
  queriedPattern,
  revisionQuery,
  VIEW_EXCEPTIONS,
  viewedPattern,
  viewsUrl,
} from './request-redirects.ts';
import { type HostRules, rulesName } from './rules.ts';

const FILE = `${HOSTS_FOLDER}/caddy/site.caddy`;

export const caddy: Host = {
  ...SERVER,
  name: 'caddy',
  title: 'Caddy',
  reload: 'caddy validate --config /etc/caddy/Caddyfile && caddy reload --config /etc/caddy/Caddyfile',
  shortcomings: [
    ONLY_NEWEST_DATE,
    partly(
      'refusals',
      'Caddy rejects invalid requests and paths (400) and unknown versions of HTTP (505) with plain text. A 412 has an empty body, and a 200 to a request with If-Match or If-Unmodified-Since has no Cache-Control.',
      /^\/%zz is 400 as text\/plain;/,
    ),
  ],
  files: (rules) => new Map([[FILE, siteFile(rules)]]),
};

function siteFile(rules: HostRules): string {
  const { prefix, redirects, problemType, tombstoneFolder } = rules;
  const name = rulesName(rules);
  return `# gridpress: for a site block with the document root. Generated; do not edit.
${prefix === '' ? 'handle' : `@${name} path ${prefix} ${prefix}/*\nhandle @${name}`} {
	route {
${formatHeaders(rules.headers, (header, value) => `\t\theader ${header} ${quoted(value)}\n`)}		@preflight method OPTIONS
		route @preflight {
${formatHeaders(PREFLIGHT_HEADERS, (header, value) => `\t\t\theader ${header} ${quoted(value)}\n`)}			respond 204
		}
		@writes not method GET HEAD
		route @writes {
			header Content-Type ${problemType}
			respond \`${METHOD_NOT_ALLOWED}\` 405
		}

${singlePrefixes(rules)}
		# The path without prefix and suffix: "/index" for the root, empty for paths that cannot be documents.
		map {path} {gridpress_path} {
			# The system rejects longer paths.
			"~^.{1000}.{1000}" ""
			"~${rootPattern(rules)}" "/index"
			"~${manifestPattern(rules)}" "/${MANIFEST_FILE.replace(/\.json$/, '')}"
${hiddenPaths(rules)
  .map((path) => `\t\t\t"~^${escapeRegExp(path)}$" "${path}"\n`)
  .join('')}			"~${shadowPattern(rules)}" ""
			"~${requestPattern(rules)}" "$\{1}"
			default ""
		}
		map "{gridpress_path} {header.X-Rack-PrettyJSON}:{query}" {gridpress_variant} {
			"~^/_" ""
			"~^[^ ]* yes:" "/${PRETTY_FOLDER}"
			"~[:&]pretty=(?:no|false|0)(?:&|$)" ""
			"~[:&]pretty(?:[=&]|$)" "/${PRETTY_FOLDER}"
			default ""
		}
		map {gridpress_path} {gridpress_cache} {
			"~${immutablePattern(rules)}" "${rules.cacheControl.immutable}"
			default "${rules.cacheControl.mutable}"
		}
${typingMaps(rules)}		map {path} {gridpress_raw} {
${rules.raw.map((each) => `\t\t\t"~${rawPattern(rules, each)}" ${quoted(each.mediaType)}\n`).join('')}			default ""
		}
${queryRoute(rules)}${browserRoute(rules)}${rules.pages.map((each) => pageRoute(rules, each)).join('')}		@latest path_regexp ${escapeRegExp(latestVersionUrl(''))}${SUFFIX}$
		route @latest {
			map {gridpress_path} {gridpress_target} {
${redirects.map(({ from, to }) => `\t\t\t\t${quoted(from)} ${quoted(prefix + to)}\n`).join('')}				default ""
			}
			map {query} {gridpress_query} {
				"~(.+)" "?$\{1}"
				default ""
			}
			@known not vars {gridpress_target} ""
			redir @known {gridpress_target}{gridpress_query} 307
		}

		@possible {
			not vars {gridpress_path} ""
			# A revision without such a document returns 404.
			not vars gridpress_past 1
		}
		# The rewrites below change {gridpress_path}.
		vars gridpress_document {gridpress_path}
		route @possible {
			header Content-Type {gridpress_type}
			# Caddy rejects unsatisfiable ranges and preconditions after it sets the headers, and errors must not be cached.
			# So only ranges that every document has are applied; other range requests get the whole document.
			@beyond {
				header Range *
				not header_regexp Range ^bytes=(?:0-[0-9]*|-0*[1-9][0-9]*)$
			}
			request_header @beyond -Range
			# Caddy returns 304 also for later dates, but only the exact time identifies a document.
			@another not header If-Modified-Since "${rules.lastModified}"
			request_header @another -If-Modified-Since
			@unconditional {
				not header If-Match *
				not header If-Unmodified-Since *
			}
			header @unconditional Cache-Control {gridpress_cache}
			# The date of a version or of a document in a snapshot (RFC 7089).
			@memento vars {gridpress_cache} "${rules.cacheControl.immutable}"
			header @memento {
				Memento-Datetime {http.response.header.Last-Modified}
				defer
			}
			@raw not vars {gridpress_raw} ""
			header @raw Content-Type {gridpress_raw}
			@json vars {gridpress_raw} ""
${rules.vendorTypes ? uncodedVendorTypes(rules.plainType) : ''}			rewrite @json ${prefix}{gridpress_variant}{gridpress_path}.json
			# The manifest has no compressed file, since signing rewrites it.
			@manifest path ${prefix}/${MANIFEST_FILE}
			encode @manifest gzip
			# Some versions of Caddy send the same ETag with both encodings, so it must be weak.
			header @manifest {
				ETag ^W?/?(.+)$ W/$1
				defer
			}
			file_server {
				precompressed br gzip
				disable_canonical_uris
				pass_thru
			}
		}
		header -Cache-Control
		header Content-Type ${problemType}
		# Removed resources return their tombstone, also to conditional requests.
		@gone file ${prefix}/${tombstoneFolder}{vars.gridpress_document}.json
		route @gone {
			request_header -If-None-Match
			request_header -If-Modified-Since
			request_header -If-Match
			request_header -If-Unmodified-Since
			request_header -Range
			header -ETag
			header -Last-Modified
			rewrite {file_match.relative}
			file_server {
				status 410
				disable_canonical_uris
			}
		}
		respond \`${NOT_FOUND}\` 404
	}
}
`;
}

/** Removes a repeated base path or snapshot path. Also removes the snapshot path from paths of histories. */
function singlePrefixes({ prefix }: HostRules): string {
  const base = escapeRegExp(prefix);
  const again = optionalPrefix(prefix);
  const twice =
    prefix === ''
      ? ''
      : `		@twice path_regexp twice ^${base}(${base}(?:/.*)?)$
		rewrite @twice {re.twice.1}
`;
  return `		# Clients may repeat a prefix or a snapshot, and may request histories below a snapshot.
		uri path_regexp //+ /
${twice}		@nested path_regexp nested ^${base}(${SNAPSHOT_PATTERN})${again}(${SNAPSHOT_PATTERN})((?:/|\\.json$).*)?$
		route @nested {
			@same vars {re.nested.1} {re.nested.2}
			rewrite @same ${prefix}{re.nested.1}{re.nested.3}
		}
		@history path_regexp history ^${base}(${SNAPSHOT_PATTERN})${again}((?:/[^/]+)*${escapeRegExp(versionsUrl(''))}(?:/.*|\\.json)?)$
		route @history {
			@built file ${prefix}{re.history.1}.json
			rewrite @built ${prefix}{re.history.2}
		}
`;
}

/** Disables compression for vendor media types. Legacy clients cannot decompress, even if they send Accept-Encoding. */
function uncodedVendorTypes(plainType: string): string {
  return `			@vendor {
				vars {gridpress_raw} ""
				not vars {gridpress_type} ${plainType}
			}
			request_header @vendor -Accept-Encoding
`;
}

/** Quotes a token. Double quotes cannot contain two consecutive backslashes, but backticks can. */
function quoted(value: string): string {
  const text = value.replace(/\{/g, '\\{');
  return /["\\]/.test(text) ? `\`${text}\`` : `"${text}"`;
}

function typingMaps({ vendorTypes, plainType, ...rules }: HostRules): string {
  if (!vendorTypes) {
    return `		map {path} {gridpress_type} {
			default ${quoted(plainType)}
		}
`;
  }
  return `		# Paths that end in .json, and requests for application/json without a vendor media type, get application/json.
		map {header.Accept} {gridpress_accepted} {
			"~(?i)${namesVendor(vendorTypes)}" ""
			"~(?i)${ACCEPTS_JSON}" "plain"
			default ""
		}
		map {gridpress_accepted}:{gridpress_path}:{path} {gridpress_type} {
			"~^plain:" ${quoted(plainType)}
			"~\\.json$" ${quoted(plainType)}
			"~^:${formPattern(rules, 'collection').slice(1, -1)}:" ${quoted(`${vendorTypes.collection}; charset=utf-8`)}
			"~^:${formPattern(rules, 'feed').slice(1, -1)}:" ${quoted(`${vendorTypes.feed}; charset=utf-8`)}
			default ${quoted(`${vendorTypes.item}; charset=utf-8`)}
		}
`;
}

function browserRoute(rules: HostRules): string {
  if (!rules.redirectsBrowsers) return '';
  return `		@browser {
			header ${BROWSER_HEADER} ${BROWSER_VALUE}
			vars {query} ""
			path_regexp view ${viewedPattern(rules)}
			not path_regexp ${VIEW_EXCEPTIONS}
		}
		header @browser Cache-Control ${NO_STORE}
		redir @browser "${viewsUrl(rules)}{re.view.1}" 302
`;
}

function queryRoute(rules: HostRules): string {
  const snapshot = `${SNAPSHOTS_PATH}/$\{1}$\{2}`;
  const ofDeep =
    rules.deep.length === 0
      ? ''
      : `			"~^([^:]+):deep:${queriedPattern(rules.deep)}" "${snapshot}${DEEP_END}"
			"~^:deep:${deepInPlacePattern(rules)}" "$\{1}${DEEP_END}"
`;
  return `		# The revision in a query, and the target of the redirect: a snapshot or a deep document.
		map {query} {gridpress_revision} {
			"~${revisionQuery()}" "$\{1}"
			default ""
		}
		map {query} {gridpress_deep} {
			"~${DEEP_QUERY}" "deep"
			default ""
		}
		map "{gridpress_revision}:{gridpress_deep}:{gridpress_path}" {gridpress_queried} {
			"~^::" ""
			"~${HISTORY_END}" ""
${ofDeep}			"~^([^:]+):[^:]*:${queriedPattern(rules.resources)}" "${snapshot}"
			default ""
		}
		@queried not vars {gridpress_queried} ""
		route @queried {
			map {path} {gridpress_form} {
				"~\\.json$" ".json"
				default ""
			}
			map {query} {gridpress_kept_query} {
				"~(?:^|&)pretty=(?:no|false|0)(?:&|$)" ""
				"~(?:^|&)pretty(?:[=&]|$)" "?pretty"
				default ""
			}
			@there file ${rules.prefix}{gridpress_queried}.json
			redir @there ${rules.prefix}{gridpress_queried}{gridpress_form}{gridpress_kept_query} 302
			@past not vars {gridpress_revision} ""
			vars @past gridpress_past 1
		}
`;
}

function pageRoute({ prefix }: HostRules, { folder, page }: HostRules['pages'][number]): string {
  const name = folder.slice(1);
  return `		@${name} path_regexp ^${escapeRegExp(prefix + folder)}/?$
		redir @${name} ${prefix}${page} 307
`;
}
