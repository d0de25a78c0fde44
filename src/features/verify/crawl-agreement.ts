import { type Endpoint, endpointOf, showsHead } from '../../core/api/endpoints.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { sha256 } from '../../core/model/digest.ts';
import { asText, type JsonObject } from '../../core/model/json.ts';
import { pathAbove } from '../../core/model/resource-path.ts';
import { itemsOf, selfOf } from './check-answer.ts';

export interface Agreement {
  readonly check: (url: string, endpoint: Endpoint, body: JsonObject) => Finding[];
  readonly atEnd: () => Finding[];
}

/**
 * What several bodies must agree on: the head, a resource alone and in its collection, who a version is. `known` gives what
 * is known of a URL that was found, which stands for it: another copy of each text would take as much memory again.
 */
export function newAgreement(known: (url: string) => object | undefined): Agreement {
  let head: string | undefined;
  const digests = new Map<string, string>();
  /** The versions that histories list, and the URLs that answered with another version than their own. */
  const listed = new Set<object | undefined>();
  const aliases = new Map<string, string>();

  const sameItem = (item: JsonObject, url: string): Finding[] => {
    const self = selfOf(item) ?? url;
    const digest = sha256(JSON.stringify(item));
    const other = digests.get(self);
    digests.set(self, digest);
    return other === undefined || other === digest ? [] : [finding('answer-item-differs', { url: self })];
  };

  const check = (url: string, endpoint: Endpoint, body: JsonObject) => {
    const { content } = endpoint;
    const self = selfOf(body);
    if (content === 'version' && self !== undefined && self !== url && isVersionBeside(self, url))
      aliases.set(url, self);
    if (content === 'versions' || content === 'version-page')
      for (const item of itemsOf(body)) listed.add(known(selfOf(item) ?? url));
    const findings: Finding[] = [];
    if (showsHead(endpoint)) {
      const version = asText(body['version']);
      head ??= version;
      if (version !== head) findings.push(finding('answer-version', { url, version, expected: head }));
    }
    if (content === 'resource') findings.push(...sameItem(body, url));
    if (content === 'resources') findings.push(...itemsOf(body).flatMap((item) => sameItem(item, url)));
    return findings;
  };

  const atEnd = () =>
    [...aliases].flatMap(([url, self]) => (listed.has(known(url)) ? [finding('answer-self', { url, self })] : []));
  return { check, atEnd };
}

/** Whether a path is a version of the same subject as another: `R/versions/{v}` beside `R/versions/latest`. */
export function isVersionBeside(target: string, url: string): boolean {
  return endpointOf(target)?.content === 'version' && pathAbove(target) === pathAbove(url);
}
