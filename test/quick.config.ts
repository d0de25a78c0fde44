/** The tests that are over in minutes: all but those of kills, object stores, servers and whatever else takes its time. */
import { defineConfig, mergeConfig } from 'vitest/config';
import all from './vitest.config.ts';

const SLOW = [
  'test/real/**',
  'test/browser/**',
  'test/docs/**',
  'test/e2e/*/*-{interrupted,killed,determinism,damage,damaged}.test.ts',
  'test/e2e/publish/*-bucket{,-faults}.test.ts',
  'test/e2e/*/{added-kind,archive-folder,core-in-browsers,mixed-reads,no-other-host,no-sockets,object-storage,power-cut,probe,prune,servers,variants}.test.ts',
];

export default mergeConfig(all, defineConfig({ test: { exclude: SLOW } }));
