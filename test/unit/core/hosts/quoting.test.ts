/**
 * A value with special characters of many languages is read back unchanged from each host's files.
 * test/e2e/hosts/server-quoting.test.ts tests real servers.
 */
import { describe, expect, test } from 'vitest';
import { HOSTS } from '../../../../src/core/hosts/all.ts';
import { HOSTILE_VALUE, hostileRules } from '../../../support/values/hostile-rules.ts';
import { readHeaderRules } from './support/rule-files.ts';

/** Hosts without configured headers in their files. */
const WITHOUT = ['serve-handler', 'github-pages', 's3'];
/** Hosts with a configuration language that only the server itself can read. */
const SERVERS = ['nginx', 'caddy', 'apache', 'htaccess', 'lighttpd'];

const hosts = HOSTS.filter(({ name }) => !SERVERS.includes(name));

/** All strings in a value. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function valuesIn(file: string, text: string): string[] {
  if (file.endsWith('.json')) return stringsIn(JSON.parse(text));
  if (file.endsWith('/_headers') || file === '_headers')
    return readHeaderRules(text).flatMap(({ headers }) => headers.flatMap(([, value]) => value ?? []));
  const constants = /^const HEADERS = (.*);$/m.exec(text)?.[1];
  return constants === undefined ? [] : stringsIn(JSON.parse(constants));
}

describe.each(hosts)('$name', (host) => {
  test(WITHOUT.includes(host.name) ? 'contains no configured header' : 'preserves a configured header', () => {
    const files = [...host.files(hostileRules())];
    const listing = host.listing;
    const rules = hostileRules();
    if (listing) {
      const document = { path: '/sites', file: 'sites.json' };
      files.push([listing.file, listing.head(rules) + listing.lines(rules, document)]);
    }
    const found = files.flatMap(([file, text]) => valuesIn(file, text)).includes(HOSTILE_VALUE);
    const advice = found
      ? `${host.name} writes configured headers: remove it from WITHOUT in this test`
      : `no file of ${host.name} has the configured header: write it, or add ${host.name} to WITHOUT if it cannot`;
    expect(found, advice).toBe(!WITHOUT.includes(host.name));
  });
});
