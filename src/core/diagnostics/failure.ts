/** How findings end a command: thrown through layers that cannot go on, pure ones too, and caught by the command line. */
import type { Finding } from './finding.ts';

/** Carries findings to the command line, which prints them and exits. */
export class Failure extends Error {
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super(findings.map(({ code }) => code).join(', '));
    this.findings = findings;
  }
}

export function fail(...findings: Finding[]): never {
  throw new Failure(findings);
}

/** Ends the command with many findings: more than a call can have arguments. */
export function failAll(findings: readonly Finding[]): never {
  throw new Failure(findings);
}

/** Whether a request had no answer: no connection, none in time, or one that was cut. */
export function isWithoutAnswer(error: unknown): boolean {
  return error instanceof Failure && error.findings.every(({ code }) => code === 'no-answer');
}
