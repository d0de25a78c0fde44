/** How a command ends: what it prints, for people or for machines, and its exit status, which is set here alone. */
import { CommanderError } from 'commander';
import { Failure } from '../core/diagnostics/failure.ts';
import { type Finding, finding } from '../core/diagnostics/finding.ts';
import type { Palette } from '../core/diagnostics/palette.ts';
import { errPalette, outPalette, print, printError, printJson } from '../system/terminal/terminal.ts';
import { tellsWhatWasDone } from '../system/terminal/verbosity.ts';

/** Something is not as it should be: bad input, or a check that did not hold. As diff(1), where two things differ. */
const NOT_OK = 1;
/** The call cannot be done as it is. */
const USAGE_ERROR = 2;

interface Told {
  readonly status: number;
  readonly records: readonly object[];
  readonly text: (palette: Palette) => string;
  readonly annotations: () => string;
}

const NOTHING: Told = { status: 0, records: [], text: () => '', annotations: () => '' };

/** Their words are loaded once there is something to tell: they are a dozen modules, and most calls have none. */
async function inWords(findings: readonly Finding[]): Promise<Told> {
  if (findings.length === 0) return NOTHING;
  const [{ exitStatus, findingRecord, renderFindings }, { githubAnnotations }] = await Promise.all([
    import('../core/diagnostics/render.ts'),
    import('../core/diagnostics/render.ts'),
  ]);
  return {
    status: exitStatus(findings),
    records: findings.map(findingRecord),
    text: (palette) => renderFindings(findings, palette),
    annotations: () => githubAnnotations(findings),
  };
}

/** Prints a result: for people the text, for machines the record with its findings. Its `ok`, if it has one, counts too. */
export async function printResult(
  options: { readonly json?: boolean },
  record: object,
  text: () => string,
  findings: readonly Finding[] = [],
): Promise<void> {
  const told = await inWords(findings);
  const status = 'ok' in record && record.ok === false ? NOT_OK : told.status;
  process.exitCode = status;
  if (options.json === true) {
    printJson({ ok: status === 0, ...record, findings: told.records });
    return;
  }
  printError(told.text(errPalette));
  print(text());
}

/** Prints what a command did: nothing for people where the call is quiet, unless it was only tried. */
export async function printDone(
  options: { readonly json?: boolean; readonly dryRun?: boolean },
  record: object,
  text: () => string,
  findings: readonly Finding[] = [],
): Promise<void> {
  const isTold = tellsWhatWasDone() || options.dryRun === true;
  await printResult(options, record, isTold ? text : () => '', findings);
}

export interface PlaceResult {
  readonly record: object;
  readonly text: () => string;
  readonly findings: readonly Finding[];
}

/** Prints results of the same kind: one as `printResult` does, several for machines as `places` of one record. */
export async function printResults(
  options: { readonly json?: boolean },
  results: readonly PlaceResult[],
): Promise<void> {
  const [first, ...others] = results;
  if (first && others.length === 0) {
    await printResult(options, first.record, first.text, first.findings);
    return;
  }
  if (options.json === true) {
    const findings = results.flatMap((result) => result.findings);
    const places = await Promise.all(
      results.map(async ({ record, findings: own }) => ({ ...record, findings: (await inWords(own)).records })),
    );
    await printResult(options, { places }, () => '', findings);
    return;
  }
  const statuses: number[] = [];
  for (const { record, text, findings } of results) {
    await printResult(options, record, text, findings);
    statuses.push(Number(process.exitCode));
  }
  process.exitCode = Math.max(...statuses);
}

export interface ReportOptions {
  readonly json?: boolean;
  readonly format: 'text' | 'json' | 'github';
  /** Whether warnings count as findings. */
  readonly strict: boolean;
}

/**
 * Prints a result that consists of findings: these are what was asked for, and go to standard output. `text` gets
 * whether there are no errors.
 */
export async function printReport(
  { json, format, strict }: ReportOptions,
  record: object,
  text: (isInOrder: boolean) => string,
  findings: readonly Finding[],
): Promise<void> {
  const told = await inWords(findings);
  const status = strict && findings.length > 0 ? NOT_OK : told.status;
  process.exitCode = status;
  if (json === true || format === 'json') {
    printJson({ ok: status === 0, ...record, findings: told.records });
    return;
  }
  const summary = text(told.status === 0);
  if (format === 'github') print(told.annotations() + summary);
  else print([told.text(outPalette), summary].filter((part) => part !== '').join('\n'));
}

export async function printFailure(error: unknown, isJson: boolean): Promise<void> {
  if (error instanceof Failure) {
    const { status, records, text } = await inWords(error.findings);
    process.exitCode = status;
    if (isJson) printJson({ ok: false, findings: records });
    else printError(text(errPalette));
    return;
  }
  const isCall = error instanceof CommanderError;
  // Commander ends --help and --version so.
  const isDone = isCall && error.exitCode === 0;
  process.exitCode = isDone ? 0 : USAGE_ERROR;
  if (!isCall) printBug(error);
  else if (isJson && !isDone) printJson({ ok: false, findings: (await inWords([usageFinding(error)])).records });
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
