import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { CountReporter } from './support/count-reporter.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/emulators/**'],
    globalSetup: ['test/support/compile.ts'],
    env: { PATH: `${join(import.meta.dirname, 'support', 'bin')}:${process.env['PATH']}` },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Of a second by default, which a busy machine takes for a page.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default', new CountReporter()],
  },
});
