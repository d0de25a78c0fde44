import { CommanderError } from 'commander';
import { Failure, type Finding, finding } from '../core/diagnostics/finding.ts';
import type { Palette } from '../core/diagnostics/palette.ts';
import { systemFailure } from '../system/files/system-errors.ts';
import { errPalette, outPalette, print, printError, printJson, reportsResults } from '../system/terminal/terminal.ts';

/** The exit status for invalid input, failed checks and found differences, as in diff(1). */
const NOT_OK = 1;
/** The exit status of a command that cannot run. */
const USAGE_ERROR = 2;

interface RenderedFindings {
  readonly status: number;
  readonly records: readonly object[];
  readonly text: (palette: Palette) => string;
  readonly annotations: () => string;
}

const NOTHING: RenderedFindings = { status: 0, records: [], text: () => '', annotations: () => '' };

/** Loads the modules for messages only if there are findings, because loading a dozen modules takes time. */
async function rendered(findings: readonly Finding[]): Promise<RenderedFindings> {
  if (findings.length === 0) return NOTHING;
  const { exitStatus, findingRecord, githubAnnotations, renderFindings } = await import(
    '../core/diagnostics/render.ts'
  );
  return {
    status: exitStatus(findings),
    records: findings.map(findingRecord),
    text: (palette) => renderFindings(findings, palette),
    annotations: () => githubAnnotations(findings),
  };
}

/**
 * Prints the text. With --json, prints the record and its findings instead. If the record has `ok: false`, the exit
 * status is 1.
 */
export async function printResult(
  options: { readonly json?: boolean },
  record: object,
  text: () => string,
  findings: readonly Finding[] = [],
): Promise<void> {
  const shown = await rendered(findings);
  const status = 'ok' in record && record.ok === false ? NOT_OK : shown.status;
  process.exitCode = status;
  if (options.json === true) {
    printJson({ ok: status === 0, ...record, findings: shown.records });
    return;
  }
  printError(shown.text(errPalette));
  print(text());
}

/** Prints the text if --quiet is missing or --dry-run is set. */
export async function printDone(
  options: { readonly json?: boolean; readonly dryRun?: boolean },
  record: object,
  text: () => string,
  findings: readonly Finding[] = [],
): Promise<void> {
  const isShown = reportsResults() || options.dryRun === true;
  await printResult(options, record, isShown ? text : () => '', findings);
}

export interface PlaceResult {
  readonly record: object;
  readonly text: () => string;
  readonly findings: readonly Finding[];
}

/** With --json, prints one object. If there are several results, its field `places` lists the results. */
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
      results.map(async ({ record, findings: own }) => ({ ...record, findings: (await rendered(own)).records })),
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
  /** Whether warnings cause the exit status 1. */
  readonly strict: boolean;
}

/** Prints a report. The argument of `text` is true if no finding is an error. */
export async function printReport(
  { json, format, strict }: ReportOptions,
  record: object,
  text: (isInOrder: boolean) => string,
  findings: readonly Finding[],
): Promise<void> {
  const shown = await rendered(findings);
  const status = strict && findings.length > 0 ? NOT_OK : shown.status;
  process.exitCode = status;
  if (json === true || format === 'json') {
    printJson({ ok: status === 0, ...record, findings: shown.records });
    return;
  }
  const summary = text(shown.status === 0);
  if (format === 'github') print(shown.annotations() + summary);
  else print([shown.text(outPalette), summary].filter((part) => part !== '').join('\n'));
}

export async function printFailure(error: unknown, isJson: boolean): Promise<void> {
  const findings = findingsOf(error);
  if (findings) {
    const { status, records, text } = await rendered(findings);
    process.exitCode = status;
    if (isJson) printJson({ ok: false, findings: records });
    else printError(text(errPalette));
    return;
  }
  const isCall = error instanceof CommanderError;
  // Commander throws an error with exit code 0 after --help and --version.
  const isDone = isCall && error.exitCode === 0;
  process.exitCode = isDone ? 0 : USAGE_ERROR;
  if (!isCall) printBug(error);
  else if (isJson && !isDone) printJson({ ok: false, findings: (await rendered([usageFinding(error)])).records });
}

/** Returns undefined for bugs in gridpress and for wrong calls of commands. */
function findingsOf(error: unknown): readonly Finding[] | undefined {
  const failure = systemFailure(error);
  return failure instanceof Failure ? failure.findings : undefined;
}

/** Converts a message of commander, such as `error: unknown option '--prot'`. Its second line is a suggestion. */
function usageFinding({ message }: CommanderError): Finding {
  const [problem = '', guess] = message.replace(/^error: /, '').split('\n');
  const hint = guess?.replace(/^\(|\)$/g, '') ?? 'gridpress help COMMAND shows its options.';
  return finding('usage', { problem, hint });
}

export function printBug(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  printError(
    `gridpress has a bug: ${message}\nPlease report it with the command that you ran. GRIDPRESS_DEBUG=1 shows where.\n`,
  );
  if (process.env['GRIDPRESS_DEBUG'] !== undefined && error instanceof Error) printError(error.stack ?? '');
}

/** Renames `isWritten` and `wouldRecord`, because field names in JSON output have underscores. */
export function writtenRecord({ isWritten, wouldRecord, ...record }: Written): object {
  return { ...record, is_written: isWritten, ...(wouldRecord === undefined ? {} : { would_record: wouldRecord }) };
}

interface Written {
  readonly isWritten: boolean;
  readonly wouldRecord?: boolean;
}
