/**
 * Closes a test run with one plain line, `N passed, N failed[, N skipped]`, the last that is printed.
 * Runs beside Vitest's default reporter. What fails outside any test (a file that does not load, a hook, an error that
 * nobody caught) counts as failed: the tests behind it say nothing.
 */
import { writeSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule, TestSuite } from 'vitest/node';

export class CountReporter implements Reporter {
  #closing = '';

  onInit(): void {
    // At exit, so that nothing which Vitest says while it closes comes after the counts.
    process.once('exit', () => writeSync(1, this.#closing));
  }

  onTestRunEnd(modules: readonly TestModule[], uncaught: readonly SerializedError[]): void {
    this.#closing = closingLines(modules, uncaught);
  }
}

/** The names of the skipped tests and of what failed outside any test, then the counts. */
function closingLines(run: readonly TestModule[], uncaught: readonly SerializedError[]): string {
  const modules = run.toSorted((a, b) => (a.relativeModuleId < b.relativeModuleId ? -1 : 1));
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const passed = tests.filter((test) => test.result().state === 'passed');
  const failed = tests.filter((test) => test.result().state === 'failed');
  // A test that never began, in an interrupted run, is `pending`: it did not run either.
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
