/** Sends more than a thousand raw requests to each server, valid and invalid, and checks every response. */
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { CACHE_CONTROL } from '../../../src/core/api/endpoints.ts';
import { serveHandler } from '../../../src/core/hosts/all.ts';
import { serve } from '../../../src/features/serve/serve.ts';
import { needs } from '../../support/processes/programs.ts';
import { SERVERS, serverTree, startServer } from '../../support/services/servers.ts';
import { hostTree } from '../../support/trees/host-tree.ts';
import { closeAtEnd, manifestOf, onBug } from '../../support/trees/served.ts';

interface RawRequest {
  /** The name in messages. */
  readonly name: string;
  readonly text: string;
  readonly isHead: boolean;
  /** The statuses that the contract allows. */
  readonly statuses: readonly number[];
}

interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: string;
}

const HOST = { Host: '127.0.0.1' };

type HeaderLines = Readonly<Record<string, string>>;

function rawRequest(
  statuses: readonly number[],
  method: string,
  path: string,
  headers: HeaderLines = {},
  version = 'HTTP/1.1',
): RawRequest {
  const lines = Object.entries({ ...HOST, Connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const shown = Object.entries(headers).map(([name, value]) => ` ${name}: ${shortened(value)}`);
  return {
    name: `${method} ${shortened(path)} ${version}${shown.join('')}`,
    text: [`${method} ${path} ${version}`, ...lines, '', ''].join('\r\n'),
    isHead: method === 'HEAD',
    statuses,
  };
}

const shortened = (text: string) => (text.length > 60 ? `${text.slice(0, 20)}… (${text.length})` : text);

const MISSING = [
  ...['nope', 'nope/', 'nope.json', 'nope.json.json', 'sites/nope', 'x'.repeat(300), 'a%20b', '%E2%82%AC', 'SITES'],
  ...['site*', 'sites.json/', 'sites.json.gz', 'sites/.json', '404.json', '405', '_pretty/sites.json', '_hosts/'],
  ...['_gone/', '_gone/sites.json', '.git/config', '..%2f..%2fetc/passwd', 'sites/%2e%2e/nope', '%5Fpretty/sites'],
  ...[
    'versions/0',
    `versions/${'0'.repeat(40)}`,
    'sites/index',
    'index',
    'sites\\lyra',
    'sites;a=b',
    '<script>',
    'a"b',
  ],
].map((path) => `/${path}`);
const MALFORMED = ['/%ff', '/%00', '/sites%00', '/%zz', '/sites%', '/%', '/sites/%c0%ae', '/sites%0a', '/%0d%0ax'];
const TOO_LONG = [5_000, 7_000].map((length) => `/${'segment/'.repeat(length / 8)}`);
const METHODS = ['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'FOO', 'TRACE', 'get'];

const INVALID = [400, 404];
const REFUSED = [400, 414, 431, 494];

/** Requests for documents with headers that must not change the response. */
const HARMLESS: readonly HeaderLines[] = [
  ...['*/*', 'application/json', 'text/html,*/*;q=0.8', 'nonsense', ''].map((Accept) => ({ Accept })),
  ...['gzip', 'br', 'gzip, br', 'br;q=0, gzip;q=0', '*', 'zstd', 'identity;q=0'].map((coding) => ({
    'Accept-Encoding': coding,
  })),
  { Range: 'pages=1-2' },
  { 'If-None-Match': '"other"' },
  { 'If-None-Match': 'broken"' },
  { 'If-Modified-Since': 'yesterday' },
  { 'If-Match': '*' },
  { 'If-Unmodified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
  { Origin: 'https://pages.example.org' },
  { 'X-Rack-PrettyJSON': 'yes' },
  { 'User-Agent': 'x'.repeat(2000) },
  { Cookie: 'a=b; c=d' },
  { Expect: '100-continue' },
];

/** Requests that depend on the document. 206 and 416 are optional. */
const CONDITIONAL: readonly (readonly [statuses: readonly number[], HeaderLines])[] = [
  [[304], { 'If-None-Match': '*' }],
  [[412], { 'If-Match': '"other"' }],
  [[412], { 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' }],
  [[206, 200], { Range: 'bytes=0-9' }],
  [[206, 200], { Range: 'bytes=-5' }],
  [[206, 200], { Range: 'bytes=5-' }],
  [[206, 200], { Range: 'bytes=0-1,4-5' }],
  [[416, 200], { Range: 'bytes=100000000-' }],
  [[416, 200], { Range: 'bytes=100000000-,200000000-' }],
  ...['bytes=', 'bytes=a-b', 'bytes=9-1'].map((Range) => [[200, 416], { Range }] as const),
  [[200], { Range: 'bytes=0-9', 'If-Range': '"other"' }],
];

function requestsFor(documents: readonly string[]): RawRequest[] {
  const bad = (statuses: readonly number[], name: string, text: string): RawRequest => ({
    ...{ name, isHead: false, statuses },
    text: text.replaceAll('\n', '\r\n'),
  });
  const forms = documents.flatMap((url) => (url === '/' ? [url, '/index.json'] : [url, `${url}/`, `${url}.json`]));
  const found = ['', '?pretty', '?limit=1', '?a[]=%zz&b'].flatMap((query) => forms.map((path) => path + query));
  const some = documents.slice(0, 6);
  return [
    ...['GET', 'HEAD'].flatMap((method) => found.map((path) => rawRequest([200], method, path))),
    ...['GET', 'HEAD'].flatMap((method) => MISSING.map((path) => rawRequest(INVALID, method, path))),
    ...['GET', 'HEAD'].flatMap((method) => MALFORMED.map((path) => rawRequest(INVALID, method, path))),
    ...['GET', 'HEAD'].flatMap((method) => TOO_LONG.map((path) => rawRequest([404, ...REFUSED], method, path))),
    ...METHODS.flatMap((method) => [...some, '/nope'].map((path) => rawRequest([405, 400], method, path))),
    ...[...some, '/nope', '/versions/latest'].map((path) => rawRequest([204], 'OPTIONS', path)),
    ...HARMLESS.flatMap((headers) => some.map((path) => rawRequest([200], 'GET', path, headers))),
    ...CONDITIONAL.flatMap(([statuses, headers]) => some.map((path) => rawRequest(statuses, 'GET', path, headers))),
    ...CONDITIONAL.map(([, headers]) => rawRequest([404], 'GET', '/nope', headers)),
    ...['/versions/latest', '/sites/versions/latest', '/docs/', '/explorer'].flatMap((path) =>
      ['GET', 'HEAD'].map((method) => rawRequest([307], method, path)),
    ),
    ...some.map((path) => rawRequest([200], 'GET', path, {}, 'HTTP/1.0')),
    ...['HTTP/2.0', 'HTTP/9.9', 'HTTP/1', 'HTTP', 'FTP/1.1'].map((version) =>
      rawRequest(
        [400, 505, ...(version === 'HTTP/2.0' || version === 'HTTP/9.9' ? [200] : [])],
        'GET',
        '/',
        {},
        version,
      ),
    ),
    rawRequest([...REFUSED, 200], 'GET', `/?${'q'.repeat(9_000)}`),
    rawRequest([...REFUSED, 200], 'GET', `/?${'q'.repeat(70_000)}`),
    rawRequest([...REFUSED, 200], 'GET', '/', { 'X-Long': 'x'.repeat(9_000) }),
    rawRequest([...REFUSED, 200], 'GET', '/', { 'X-Long': 'x'.repeat(70_000) }),
    rawRequest([200, 400], 'GET', '/', { 'Content-Length': '0' }),
    rawRequest([400, 411, 413, 501], 'GET', '/', { 'Content-Length': 'x' }),
    bad([400], 'GET without Host', 'GET / HTTP/1.1\nConnection: close\n\n'),
    bad([400, 421], 'GET with two Hosts', 'GET / HTTP/1.1\nHost: a\nHost: b\nConnection: close\n\n'),
    bad([400, 421], 'GET with a broken Host', 'GET / HTTP/1.1\nHost: a b@c\nConnection: close\n\n'),
    bad([400, 200], 'a header without a colon', 'GET / HTTP/1.1\nHost: 127.0.0.1\nbroken\nConnection: close\n\n'),
    bad([400, 405, 501], 'a line without a method', ' / HTTP/1.1\nHost: 127.0.0.1\nConnection: close\n\n'),
    bad([400, 405], 'no HTTP', 'hello\n\n'),
    bad(
      [400, 200],
      'two ETags',
      'GET / HTTP/1.1\nHost: 127.0.0.1\nIf-None-Match: "a"\nIf-None-Match: "b"\nConnection: close\n\n',
    ),
    ...['http://127.0.0.1/sites', 'http://127.0.0.1/nope'].map((path, i) =>
      rawRequest([i === 0 ? 200 : 404], 'GET', path),
    ),
    ...['*', 'sites', ''].map((path) => rawRequest([400, 404], 'GET', path)),
  ];
}

/** Returns undefined if the server closes the connection without a response. */
function send(port: number, { text }: RawRequest): Promise<RawResponse | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    const finish = () => {
      socket.destroy();
      resolve(parsed(Buffer.concat(chunks).toString('latin1')));
    };
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', finish);
    socket.on('error', finish);
    socket.setTimeout(5000, finish);
    socket.write(text);
  });
}

function parsed(text: string): RawResponse | undefined {
  const response = text.replace(/^HTTP\/1\.1 100 Continue\r\n(?:[^\r]+\r\n)*\r\n/, '');
  const [, status = '', lines = '', body = ''] =
    /^HTTP\/1\.[01] (\d{3})[^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n([\s\S]*)$/.exec(response) ?? [];
  if (status === '') return undefined;
  const headers = new Map<string, string[]>();
  for (const line of lines.split('\r\n')) {
    const [, name, value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined) headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), value]);
  }
  return { status: Number(status), headers, body: unchunked(headers, body) };
}

function unchunked(headers: RawResponse['headers'], body: string): string {
  if (headers.get('transfer-encoding')?.[0] !== 'chunked') return body;
  let [rest, whole] = [body, ''];
  for (;;) {
    const [line = '', size = '0'] = /^([0-9a-f]+)\r\n/i.exec(rest)?.slice(0, 2) ?? [];
    const length = Number.parseInt(size, 16);
    if (length === 0) return whole;
    whole += rest.slice(line.length, line.length + length);
    rest = rest.slice(line.length + length + 2);
  }
}

const CACHED = [CACHE_CONTROL.mutable, CACHE_CONTROL.immutable];

/** Everything in a response that violates the contract. */
function faultsOf(request: RawRequest, response: RawResponse | undefined): string[] {
  if (!response) return ['is not answered'];
  const { status, headers, body } = response;
  const all = (name: string) => (headers.get(name) ?? []).join(' + ');
  const faults: string[] = [];
  if (!request.statuses.includes(status)) faults.push(`is ${status}, not ${request.statuses.join(' or ')}`);
  const type = all('content-type');
  const isPage = status === 200 && /^\S+ \/(?:docs|explorer)\//.test(request.name);
  // RFC 9110 recommends a short hypertext note in redirects.
  const isRedirect = status === 302 || status === 307;
  if (type.startsWith('text/html') && !isPage && !isRedirect) faults.push(`is ${status} as ${type}`);
  else if (status >= 400 && type !== 'application/problem+json') faults.push(`is ${status} as ${type || 'no type'}`);
  if (status >= 400 && type === 'application/problem+json' && !request.isHead)
    faults.push(...problemFaults(status, body));
  if (request.isHead && body !== '') faults.push('has a body');
  if (status < 400 && !isPage && !isRedirect && /<html|<!doctype/i.test(body)) faults.push('has an HTML body');
  const cache = all('cache-control');
  if ([200, 206, 304].includes(status)) {
    if (!CACHED.includes(cache)) faults.push(`is ${status} with Cache-Control: ${cache || 'none'}`);
  } else if (cache !== '' && cache !== 'no-store') faults.push(`is ${status} with Cache-Control: ${cache}`);
  if (all('access-control-allow-origin') !== '*')
    faults.push(`is ${status} with Access-Control-Allow-Origin: ${all('access-control-allow-origin') || 'none'}`);
  if (all('x-content-type-options') !== 'nosniff') faults.push(`is ${status} without nosniff`);
  if (status === 405 && !all('allow').includes('GET')) faults.push('is 405 without Allow');
  if (status === 416 && !/^bytes \*\/\d+$/.test(all('content-range'))) faults.push('is 416 without Content-Range');
  return faults;
}

function problemFaults(status: number, body: string): string[] {
  try {
    const problem = JSON.parse(body);
    return problem.status === status && typeof problem.detail === 'string' ? [] : [`is ${status} with ${body}`];
  } catch {
    return [`is ${status} with ${body.slice(0, 60) || 'an empty body'}`];
  }
}

const PARALLEL = 16;

async function violations(port: number, tree: string): Promise<string[]> {
  const documents = manifestOf(tree).documents.flatMap((each) =>
    'sha256' in each && /\.json$/.test(each.file) ? each.path : [],
  );
  const chosen = documents.filter((_, i) => i % Math.ceil(documents.length / 40) === 0);
  const requests = requestsFor(['/', '/sites', ...chosen.filter((path) => path !== '/' && path !== '/sites')]);
  expect(requests.length).toBeGreaterThan(1000);
  const found: string[] = [];
  const waiting = requests.values();
  const work = async () => {
    for (const request of waiting)
      for (const fault of faultsOf(request, await send(port, request))) found.push(`${request.name} ${fault}`);
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return found;
}

describe.each(SERVERS)('$host.name', (server) => {
  const { isMissing, because } = needs(...server.needs);
  test.skipIf(isMissing)(`answers raw requests as the contract says${because}`, async () => {
    const tree = await serverTree(server, 'current', '');
    const { port } = await startServer(server, tree);
    const found = await violations(port, tree.tree);
    expect(found.filter((each) => !(KNOWN[server.host.name] ?? []).some((known) => known.test(each)))).toEqual([]);
  });
});

test('gridpress serve answers raw requests as the contract says', async () => {
  const { tree } = await hostTree(serveHandler, 'current', '');
  const serving = await serve({ registry: tree, folder: tree, port: 0, host: '127.0.0.1', onBug });
  closeAtEnd(serving.close);
  expect(await violations(serving.port, tree)).toEqual([]);
});

/** What the servers decide before their rules. The pages of the hosts list it. */
const OWN_PAGE = '(?:as text/(?:html|plain).*|with Access-Control-Allow-Origin: none|without nosniff)';
const APACHE_KNOWN = [/ is 412 with an empty body$/, / is 416 without Content-Range$/];
const KNOWN: Readonly<Record<string, readonly RegExp[]>> = {
  caddy: [
    new RegExp(` is (?:400|505) ${OWN_PAGE}$`),
    /^HEAD \/(?:sites)?%\S* HTTP\/1\.1 has a body$/,
    / is 412 as application\/json$/,
    / If-(?:Match|Unmodified-Since): .* is 200 with Cache-Control: none$/,
  ],
  apache: APACHE_KNOWN,
  htaccess: [
    ...APACHE_KNOWN,
    new RegExp(` is (?:400|414) ${OWN_PAGE}$`),
    new RegExp(`^\\S+ /\\S*(?:%2f|%00)\\S* HTTP/1.1 is 404 ${OWN_PAGE}$`),
    /^\S+ \/\S+… \(\d+\) HTTP\/1.1 is 403/,
    /^TRACE /,
  ],
  lighttpd: [
    new RegExp(` is (?:400|411|431|501|505) ${OWN_PAGE}$`),
    /^POST .* is 411, not/,
    /^(?:FOO|get) .* is 501, not/,
  ],
};
