/**
 * The quick tests: `test/unit` and `test/scenario`. They need only Node.js and git, and run the sources in the process of
 * the test, so nothing is compiled.
 */
import { defineConfig, mergeConfig } from 'vitest/config';
import all from './vitest.config.ts';

/** These take more than 15 seconds of CPU time each. */
const SLOW = [
  'test/unit/linear-time.test.ts',
  'test/unit/features/build/existing-tree.test.ts',
  'test/scenario/history-stamp.test.ts',
  'test/scenario/git-history/**',
];

const quick = mergeConfig(all, defineConfig({ test: { exclude: [...SLOW, 'test/{browser,docs,e2e,fuzz,real}/**'] } }));

export default { ...quick, test: { ...quick.test, globalSetup: [] } };
