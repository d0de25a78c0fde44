import { defineConfig } from 'vitest/config';
import { CountReporter } from '../support/count-reporter.ts';

/** The vendors' emulators (`npm run test:emulators`). The first run installs them, which takes minutes. */
export default defineConfig({
  test: {
    include: ['test/emulators/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 900_000,
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    reporters: ['default', new CountReporter()],
  },
});
