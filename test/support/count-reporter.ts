/**
 * Closes a test run with one plain line, `N passed, N failed[, N skipped]`, the last that is printed.
 * Runs beside Vitest's default reporter and counts what Vitest counts: tests.
 */
import { writeSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

export class CountReporter implements Reporter {
  #closing = '';

  onInit(): void {
    // At exit, so that nothing which Vitest says while it closes comes after the counts.
    process.once('exit', () => writeSync(1, this.#closing));
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    this.#closing = closingLines(modules);
  }
}

/** The names of the skipped tests and of the files that failed outside any test, then the counts. */
function closingLines(modules: readonly TestModule[]): string {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const passed = tests.filter((test) => test.result().state === 'passed');
  const failed = tests.filter((test) => test.result().state === 'failed');
  // A test that never began, in an interrupted run, is `pending`: it did not run either.
  const skipped = tests.filter((test) => !['passed', 'failed'].includes(test.result().state));
  const failedModules = new Set(failed.map((test) => test.module));
  const broken = modules.filter((module) => module.state() === 'failed' && !failedModules.has(module));

  const counts = [`${passed.length} passed`, `${failed.length} failed`];
  if (skipped.length > 0) counts.push(`${skipped.length} skipped`);
  const lines = [
    ...broken.map((module) => `failed outside a test: ${module.relativeModuleId}`),
    ...skipped.map((test) => `skipped: ${test.module.relativeModuleId} > ${test.fullName}`),
    counts.join(', '),
  ];
  return `${lines.join('\n')}\n`;
}
