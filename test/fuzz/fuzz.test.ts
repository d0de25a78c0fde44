/**
 * Runs a part of the fuzzer with a new seed, which every failure prints. `npm run fuzz` runs more, or repeats a run.
 * Inputs that failed once are fixtures of other tests.
 */
import { randomInt } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../support/folders.ts';
import { fuzz } from './fuzz.ts';
import type { Surface } from './surface.ts';
import { carried } from './surfaces/carried.ts';
import { kills } from './surfaces/kills.ts';
import { questions } from './surfaces/questions.ts';
import { registries } from './surfaces/registries.ts';
import { reports } from './surfaces/reports.ts';
import { repositories } from './surfaces/repositories.ts';
import { resigned } from './surfaces/resigned.ts';
import { services } from './surfaces/services.ts';
import { settings } from './surfaces/settings.ts';

const SURFACES: Readonly<Record<string, (folder: string) => Surface | Promise<Surface>>> = {
  carried,
  kills,
  questions,
  registries,
  reports,
  repositories,
  resigned,
  services,
  settings,
};

/** The options of `npm run fuzz`, or a short run. */
const { FUZZ_SEED, FUZZ_FROM = '0', FUZZ_RUNS = '1000000', FUZZ_SECONDS = '4', FUZZ_SURFACE } = process.env;
const SLICE = {
  seed: FUZZ_SEED === undefined ? randomInt(2 ** 31) : Number(FUZZ_SEED),
  from: Number(FUZZ_FROM),
  runs: Number(FUZZ_RUNS),
  seconds: Number(FUZZ_SECONDS),
};
const PREPARED_MS = 120_000;

test.each(Object.keys(SURFACES).filter((name) => FUZZ_SURFACE === undefined || name === FUZZ_SURFACE))(
  `%s survives altered input with the seed ${SLICE.seed}`,
  async (name) => {
    const [prepared, base] = [join(newFolder(), 'prepared'), newFolder()];
    mkdirSync(prepared);
    const surface = await SURFACES[name]?.(prepared);
    expect(surface).toBeDefined();
    if (!surface) return;
    const { runs, refused, faults } = await fuzz(surface, SLICE, base);
    process.stdout.write(`${name}: ${runs} runs with the seed ${SLICE.seed}, of which ${refused} were refused\n`);
    expect(faults.join('\n\n')).toBe('');
    expect(runs).toBeGreaterThan(0);
  },
  SLICE.seconds * 1000 + PREPARED_MS,
);
