/** How a command ends: what it prints, for people or for machines, and its exit status, which is set here alone. */
import { CommanderError } from 'commander';
import { githubAnnotations } from '../core/diagnostics/annotations.ts';
import { Failure } from '../core/diagnostics/failure.ts';
import { type Finding, finding } from '../core/diagnostics/finding.ts';
import { exitStatus, findingRecord, renderFindings } from '../core/diagnostics/render.ts';
import { errPalette, outPalette, print, printError, printJson } from '../system/terminal/terminal.ts';
import { tellsWhatWasDone } from '../system/terminal/verbosity.ts';

/** Something is not as it should be: bad input, or a check that did not hold. As diff(1), where two things differ. */
const NOT_OK = 1;
/** The call cannot be done as it is. */
const USAGE_ERROR = 2;

/** Prints a result: for people the text, for machines the record with its findings. Its `ok`, if it has one, counts too. */
export function printResult(
  options: { readonly json?: boolean },
  record: object,
  text: () => string,
  findings: readonly Finding[] = [],
): void {
  const status = 'ok' in record && record.ok === false ? NOT_OK : exitStatus(findings);
  process.exitCode = status;
  if (options.json === true) {
    printJson({ ok: status === 0, ...record, findings: findings.map(findingRecord) });
    return;
  }
  printError(renderFindings(findings, errPalette));
  print(text());
}

/** Prints what a command did: nothing for people where the call is quiet, unless it was only tried. */
export function printDone(
  options: { readonly json?: boolean; readonly dryRun?: boolean },
  record: object,
  text: () => string,
  findings: readonly Finding[] = [],
): void {
  const isTold = tellsWhatWasDone() || options.dryRun === true;
  printResult(options, record, isTold ? text : () => '', findings);
}

export interface PlaceResult {
  readonly record: object;
  readonly text: () => string;
  readonly findings: readonly Finding[];
}

/** Prints results of the same kind: one as `printResult` does, several for machines as `places` of one record. */
export function printResults(options: { readonly json?: boolean }, results: readonly PlaceResult[]): void {
  const [first, ...others] = results;
  if (first && others.length === 0) {
    printResult(options, first.record, first.text, first.findings);
    return;
  }
  if (options.json === true) {
    const findings = results.flatMap((result) => result.findings);
    const places = results.map(({ record, findings: own }) => ({
      ...record,
      findings: own.map(findingRecord),
    }));
    printResult(options, { places }, () => '', findings);
    return;
  }
  const statuses = results.map(({ record, text, findings }) => {
    printResult(options, record, text, findings);
    return Number(process.exitCode);
  });
  process.exitCode = Math.max(...statuses);
}

export interface ReportOptions {
  readonly json?: boolean;
  readonly format: 'text' | 'json' | 'github';
  /** Whether warnings count as findings. */
  readonly strict: boolean;
}

/** Prints a result that consists of findings: these are what was asked for, and go to standard output. */
export function printReport(
  { json, format, strict }: ReportOptions,
  record: object,
  text: () => string,
  findings: readonly Finding[],
): void {
  const status = strict && findings.length > 0 ? NOT_OK : exitStatus(findings);
  process.exitCode = status;
  if (json === true || format === 'json') {
    printJson({ ok: status === 0, ...record, findings: findings.map(findingRecord) });
    return;
  }
  const summary = text();
  if (format === 'github') print(githubAnnotations(findings) + summary);
  else print([renderFindings(findings, outPalette), summary].filter((part) => part !== '').join('\n'));
}

/** Prints what ended a command: findings, a mistake in the call, or a bug. */
export function printFailure(error: unknown, isJson: boolean): void {
  process.exitCode = statusOf(error);
  if (error instanceof Failure) {
    if (isJson) printRecords(error.findings);
    else printError(renderFindings(error.findings, errPalette));
  } else if (error instanceof CommanderError) {
    if (isJson && error.exitCode !== 0) printRecords([usageFinding(error)]);
  } else printBug(error);
}

function statusOf(error: unknown): number {
  if (error instanceof Failure) return exitStatus(error.findings);
  // Commander ends --help and --version so.
  return error instanceof CommanderError && error.exitCode === 0 ? 0 : USAGE_ERROR;
}

function printRecords(findings: readonly Finding[]): void {
  printJson({ ok: false, findings: findings.map(findingRecord) });
}

/** `error: unknown option '--prot'`, and the guess that commander puts on a line of its own. */
function usageFinding({ message }: CommanderError): Finding {
  const [problem = '', guess] = message.replace(/^error: /, '').split('\n');
  const hint = guess?.replace(/^\(|\)$/g, '') ?? 'gridpress help COMMAND shows what it takes.';
  return finding('usage', { problem, hint });
}

/** Prints what should never have been thrown, and how to report it. */
export function printBug(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  printError(
    `gridpress has a bug: ${message}\nPlease report it with the command that you ran. GRIDPRESS_DEBUG=1 shows where.\n`,
  );
  if (process.env['GRIDPRESS_DEBUG'] !== undefined && error instanceof Error) printError(error.stack ?? '');
}

/** What was written, for machines: their names have underscores, as those of the files that gridpress writes. */
export function writtenRecord({ isWritten, ...record }: { readonly isWritten: boolean }): object {
  return { ...record, is_written: isWritten };
}
