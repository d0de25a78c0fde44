/**
 * `npm run bench:serve`: measures the cost of the generated nginx rules: CPU time per request, as ratios to the same nginx
 * without them.
 *
 *     npm run bench:serve                              the sample registry
 *     npm run bench:serve -- --registry DIR            another registry, with its gridpress.yaml
 *     npm run bench:serve -- --dialect legacy --rounds 9 --seconds 3
 *
 * It needs nginx and wrk. `plain` is nginx without rules, which opens a file for each request. `rules alone` is the ratio
 * to an nginx that keeps files open, as the generated rules do.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readIntactManifest } from '../src/system/trees/manifest-file.ts';
import { CONNECTIONS, type Load, load } from './load.ts';
import { GRIDPRESS, run } from './measure.ts';
import { type Nginx, SERVERS, type ServerName, startNginx } from './nginx.ts';
import { aligned, median } from './report.ts';
import { openScratch } from './scratch.ts';

const { values } = parseArgs({
  options: {
    registry: { type: 'string', default: fileURLToPath(new URL('../../../registry-data', import.meta.url)) },
    dialect: { type: 'string', default: 'current' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
  },
});
const ROOM = 2 ** 30;
/** The most CPU time with rules, as a multiple of the time without them. */
const TARGET = 1.1;
const HEADINGS = [
  ...['what', 'bytes', 'target', 'ratio', 'min-max', 'rules alone'],
  ...['ours', 'plain', 'p99 ours', 'p99 plain', ''],
];

// `exit` stops the server and removes the tree.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));

interface Subject {
  readonly what: string;
  readonly path: string;
  readonly size: number;
}

interface Measured extends Load {
  /** Microseconds of CPU time per request. */
  readonly cost: number;
}

type Round = Readonly<Record<ServerName, Measured>>;

const scratch = openScratch(ROOM);
try {
  const tree = await built(scratch.fresh());
  const nginx = await startNginx(tree, scratch.folder);
  const lines = [HEADINGS];
  for (const subject of subjects(tree)) lines.push(cells(subject, await measure(subject, nginx)));
  await nginx.stop();
  console.log(`\nCPU time per request, ${CONNECTIONS} connections, ${values.dialect} dialect:\n\n${aligned(lines)}`);
} finally {
  scratch.clearAll();
}

async function built(out: string): Promise<string> {
  const { registry, dialect } = values;
  const config = join(dirname(registry), 'gridpress.yaml');
  const sources = ['--registry', registry, '--config', config, '--dialect', dialect];
  const parameters = [GRIDPRESS, 'build', ...sources, '--snapshots', 'none', '--host', 'nginx', '--out', out];
  await run({ program: 'node', parameters });
  return out;
}

function subjects(tree: string): Subject[] {
  const documents = [...readIntactManifest(tree).entries]
    .flatMap((each) => (each.alias === undefined ? [{ path: each.path, size: each.size }] : []))
    .sort((a, b) => b.size - a.size);
  const ending = (pattern: RegExp) => documents.filter(({ path }) => pattern.test(path));
  const nodes = ending(/\/nodes\/[^/]+$/).filter(({ path }) => !path.endsWith('/versions'));
  const found = {
    'the root': ending(/^\/$/)[0],
    'a node': nodes[nodes.length >> 1],
    'the largest collection of nodes': ending(/\/nodes$/)[0],
    'the longest list of versions': ending(/\/versions$/)[0],
  };
  return Object.entries(found).flatMap(([what, document]) => (document ? [{ what, ...document }] : []));
}

/** Alternates the servers, backwards in every other round, so that other load on the machine affects all. */
async function measure({ what, path }: Subject, { bases, cpuTime }: Nginx): Promise<Round[]> {
  await expectSame(SERVERS.map((server) => bases[server] + path));
  const rounds: Round[] = [];
  const measured = (server: ServerName): Measured => {
    const before = cpuTime();
    const result = load(bases[server] + path, Number(values.seconds), scratch.folder);
    return { ...result, cost: (cpuTime() - before) / result.requests };
  };
  for (let i = 0; i <= Number(values.rounds); i++) {
    const order = i % 2 === 0 ? SERVERS : SERVERS.toReversed();
    const loads = new Map(order.map((server) => [server, measured(server)]));
    const [ours, plain, open] = SERVERS.map((server) => loads.get(server));
    // The first round is a warm-up.
    if (ours && plain && open && i > 0) rounds.push({ ours, plain, open });
  }
  console.error(`measured ${what}: ${path}`);
  return rounds;
}

async function expectSame(urls: readonly string[]): Promise<void> {
  const answers = await Promise.all(
    urls.map(async (url) => {
      const response = await fetch(url);
      return `${response.status} ${await response.text()}`;
    }),
  );
  if (new Set(answers).size !== 1 || !answers[0]?.startsWith('200 '))
    throw new Error(`${urls.join(' and ')} do not answer the same`);
}

function cells({ what, size }: Subject, rounds: readonly Round[]): string[] {
  const ratios = rounds.map(({ ours, plain }) => ours.cost / plain.cost);
  const ratio = median(ratios);
  const cost = (server: ServerName) => `${median(rounds.map((round) => round[server].cost)).toFixed(1)} µs`;
  const p99 = (server: ServerName) => `${(median(rounds.map((round) => round[server].p99)) * 1000).toFixed(2)} ms`;
  return [
    ...[what, String(size), `${TARGET} x`, `${ratio.toFixed(2)} x`],
    `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`,
    `${median(rounds.map(({ ours, open }) => ours.cost / open.cost)).toFixed(2)} x`,
    ...[cost('ours'), cost('plain'), p99('ours'), p99('plain')],
    ratio <= TARGET ? 'hit' : 'missed',
  ];
}
