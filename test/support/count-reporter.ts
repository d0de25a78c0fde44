/**
 * Prints `N passed, N failed[, N skipped]` as the last line of a test run, in addition to Vitest's default reporter.
 * Failures outside of tests (a file that does not load, a hook, an uncaught error) count as failed, because the tests
 * behind them did not run.
 */
import { writeSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule, TestSuite } from 'vitest/node';

export class CountReporter implements Reporter {
  #closing = '';

  onInit(): void {
    // Prints at exit, so that no output of Vitest follows the counts.
    process.once('exit', () => writeSync(1, this.#closing));
  }

  onTestRunEnd(modules: readonly TestModule[], uncaught: readonly SerializedError[]): void {
    this.#closing = closingLines(modules, uncaught);
  }
}

/** Returns the names of skipped tests and of failures outside of tests, then the counts. */
function closingLines(run: readonly TestModule[], uncaught: readonly SerializedError[]): string {
  const modules = run.toSorted((a, b) => (a.relativeModuleId < b.relativeModuleId ? -1 : 1));
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const passed = tests.filter((test) => test.result().state === 'passed');
  const failed = tests.filter((test) => test.result().state === 'failed');
  // A test that did not start in an interrupted run is `pending`.
  const skipped = tests.filter((test) => !['passed', 'failed'].includes(test.result().state));
  const outside = [
    ...modules.flatMap((module) => [module, ...module.children.allSuites()].filter(isBroken).map(nameOf)),
    ...uncaught.map(({ message }) => message),
  ];

  const counts = [`${passed.length} passed`, `${failed.length + outside.length} failed`];
  if (skipped.length > 0) counts.push(`${skipped.length} skipped`);
  const lines = [
    ...outside.map((name) => `failed outside a test: ${name}`),
    ...skipped.map((test) => `skipped: ${test.module.relativeModuleId} > ${test.fullName}`),
    counts.join(', '),
  ];
  return `${lines.join('\n')}\n`;
}

function isBroken(part: TestModule | TestSuite): boolean {
  return part.errors().length > 0;
}

function nameOf(part: TestModule | TestSuite): string {
  return part.type === 'module' ? part.relativeModuleId : `${part.module.relativeModuleId} > ${part.fullName}`;
}
