/** Probes the hosts on their vendors' emulators. `BLESS=1 npm run test:emulators` writes the results to `emulated.ts`. */
import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { explains, type Probed, probe } from '../../src/core/hosts/probe/probe.ts';
import type { Failing } from '../../src/core/hosts/probe/probing.ts';
import type { Configuration } from '../../src/core/model/configuration.ts';
import { httpClient } from '../../src/system/client/http-client.ts';
import { decodeContent } from '../../src/system/trees/content-coding.ts';
import { azureEmulator } from './azure.ts';
import { blessed } from './blessing.ts';
import { pagesEmulator, workerEmulator, workersEmulator } from './cloudflare.ts';
import { deployedTree } from './deployed-tree.ts';
import { EMULATIONS, type Emulation, OUTCOMES } from './emulated.ts';
import { type Emulator, install, scratchFolder } from './emulator.ts';
import { firebaseEmulator } from './firebase.ts';
import { netlifyEmulator } from './netlify.ts';
import { outcomeWord, shortcomingOf } from './outcome-words.ts';
import { vercelEmulator } from './vercel.ts';

const EMULATORS: readonly Emulator[] = [
  ...[netlifyEmulator, pagesEmulator, workersEmulator, workerEmulator],
  ...[vercelEmulator, firebaseEmulator, azureEmulator],
];
/** One of the hosts reserves `/api` for functions. */
const CASES = [
  ['current', ''],
  ['legacy', '/testbed/v1'],
] as const;
const TIMEOUT_MS = 10_000;

interface Found {
  readonly emulation: Emulation;
  /** The outcomes by capability. */
  readonly outcomes: Readonly<Record<string, string>>;
}

const isBlessing = process.env['BLESS'] === '1';

const found: Found[] = [];

describe.each(EMULATORS.map((emulator) => [emulator.host.name, emulator] as const))('%s', (name, emulator) => {
  const { host, title, differences } = emulator;
  const words: Record<string, string>[] = [];
  const seen: Failing[] = [];

  test.each(CASES)('matches its documented limitations, %s dialect, prefix "%s"', async (dialect, prefix) => {
    const probed = await probeEmulated(emulator, dialect, prefix);
    const wrong = probed.filter(({ outcome }) => outcome === 'wrong');
    seen.push(...probed.flatMap(({ failing }) => failing));
    words.push(
      Object.fromEntries(probed.map((each) => [each.capability, outcomeWord(each, host.shortcomings, differences)])),
    );
    expect(wrong.flatMap(({ failing }) => failing.map(({ request, message }) => `${request} ${message}`))).toEqual([]);
  });

  test('has no unused difference from the service', () => {
    const unseen = differences.filter(
      (difference) =>
        difference.covers !== undefined && !seen.some((each) => explains(shortcomingOf(difference), each)),
    );
    expect(unseen).toEqual([]);
  });

  test.skipIf(isBlessing)('gives the results of emulated.ts', () => {
    const column = EMULATIONS.findIndex((each) => each.host === name);
    const outcomes = Object.fromEntries(Object.entries(OUTCOMES).map(([capability, all]) => [capability, all[column]]));
    expect(shown()).toEqual({ emulation: EMULATIONS[column], outcomes });
  });

  afterAll(() => {
    found.push(shown());
  });

  function shown(): Found {
    const [first = {}, ...rest] = words;
    const outcomes = Object.fromEntries(
      Object.keys(first).map((capability) => {
        const cells = new Set([first, ...rest].map((each) => each[capability] ?? ''));
        return [capability, [...cells].join(' / ')];
      }),
    );
    const stated = differences.map(({ capability, why }) => ({ capability, why }));
    return { emulation: { host: name, emulator: title, differences: stated }, outcomes };
  }
});

async function probeEmulated(
  { host, packages, differences, asking, start }: Emulator,
  dialect: Configuration['dialect'],
  prefix: string,
): Promise<Probed[]> {
  const tree = await deployedTree(host, dialect, prefix);
  const tools = { folder: install(packages), scratch: scratchFolder() };
  const running = await start(tree, tools);
  const http = httpClient({ base: running.url + prefix, rate: 0, timeoutMs: TIMEOUT_MS });
  const emulated = { ...host, shortcomings: [...host.shortcomings, ...differences.map(shortcomingOf)] };
  const all: Probed[] = [];
  try {
    for await (const probed of probe(asking?.(http.send) ?? http.send, decodeContent, emulated)) {
      if (!probed) throw new Error(`there is no API at ${running.url}${prefix}`);
      all.push(probed);
    }
  } finally {
    http.close();
    await running.stop();
    rmSync(tools.scratch, { recursive: true, force: true });
  }
  return all;
}

afterAll(() => {
  if (!isBlessing) return;
  const capabilities = Object.keys(found[0]?.outcomes ?? {});
  const outcomes = Object.fromEntries(
    capabilities.map((capability) => [capability, found.map((each) => each.outcomes[capability] ?? '')]),
  );
  blessed(
    found.map(({ emulation }) => emulation),
    outcomes,
    new Date().toISOString().slice(0, 10),
  );
});
