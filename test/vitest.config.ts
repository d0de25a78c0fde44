import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { CountReporter } from './support/count-reporter.ts';
import { SlowFirst } from './support/slow-first.ts';

const PURE = ['test/unit/core/**/*.test.ts'];

/** Keeps the stamps of tested histories out of the user's cache. */
const cacheHome = mkdtempSync(join(tmpdir(), 'gridpress-cache-'));
process.once('exit', () => rmSync(cacheHome, { recursive: true, force: true }));

export default defineConfig({
  test: {
    exclude: [...configDefaults.exclude, 'test/emulators/**'],
    projects: [
      // Pure tests have no side effects, so these files share a process and load the program once.
      { extends: true, test: { name: 'core', include: PURE, isolate: false } },
      { extends: true, test: { name: 'program', include: ['test/**/*.test.ts'], exclude: PURE } },
    ],
    globalSetup: ['test/support/compile.ts'],
    env: { XDG_CACHE_HOME: cacheHome, PATH: `${join(import.meta.dirname, 'support', 'bin')}:${process.env['PATH']}` },
    // The limits end only hung tests, because a busy machine can slow down a test many times.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    // The default of one second is too short for a page on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: SlowFirst },
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default', new CountReporter()],
  },
});
