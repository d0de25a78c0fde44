/** Where Caddy leads requests to another path: browsers to pages, and queries to what they ask for. */
import { SNAPSHOTS_PATH } from '../../api/urls.ts';
import { BROWSER_HEADER, BROWSER_VALUE, NOT_KEPT, NOT_VIEWED, viewedPattern, viewsUrl } from '../browser-redirects.ts';
import { literally } from '../patterns.ts';
import {
  DEEP_END,
  DEEP_QUERY,
  deepInPlacePattern,
  HISTORY_END,
  queriedPattern,
  revisionQuery,
} from '../query-redirects.ts';
import type { HostRules } from '../rules.ts';

/** Browsers that navigate are led to the explorer. */
export function browserRoute(rules: HostRules): string {
  if (!rules.redirectsBrowsers) return '';
  return `		@browser {
			header ${BROWSER_HEADER} ${BROWSER_VALUE}
			vars {query} ""
			path_regexp view ${viewedPattern(rules)}
			not path_regexp ${NOT_VIEWED}
		}
		header @browser Cache-Control ${NOT_KEPT}
		redir @browser "${viewsUrl(rules)}{re.view.1}" 302
`;
}

/** Where a query leads: to a snapshot, or to all that is below an item. */
export function queryRoute(rules: HostRules): string {
  const snapshot = `${SNAPSHOTS_PATH}/$\{1}$\{2}`;
  const ofDeep =
    rules.deep.length === 0
      ? ''
      : `			"~^([^:]+):deep:${queriedPattern(rules.deep)}" "${snapshot}${DEEP_END}"
			"~^:deep:${deepInPlacePattern(rules)}" "$\{1}${DEEP_END}"
`;
  return `		# The revision that a query asks for, and where it leads: to a snapshot, or to all that is below an item.
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

/** The path of a folder leads to its page. */
export function pageRoute({ prefix }: HostRules, { folder, page }: HostRules['pages'][number]): string {
  const name = folder.slice(1);
  return `		@${name} path_regexp ^${literally(prefix + folder)}/?$
		redir @${name} ${prefix}${page} 307
`;
}
