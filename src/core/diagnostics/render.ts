import {
  type Finding,
  type FindingArguments,
  type FindingCode,
  type FindingOf,
  onOneLine,
  printable,
} from './finding.ts';
import { MESSAGES } from './messages.ts';
import { type Palette, PLAIN } from './palette.ts';
import { plural } from './words.ts';

/** How many findings are shown in full. */
const SHOWN = 50;

/** The exit status that findings call for: 0 for warnings alone, 1 for bad input, 2 for a call that cannot be done. */
export function exitStatus(findings: readonly Finding[]): 0 | 1 | 2 {
  const severities = findings.map(({ code }) => MESSAGES[code].severity);
  if (severities.includes('failure')) return 2;
  return severities.includes('error') ? 1 : 0;
}

interface Words {
  readonly what: string;
  readonly fix: string;
}

/** The table as one type over all codes, so that a code and its arguments stay together. */
const TEXTS: { readonly [C in FindingCode]: { readonly text: (args: FindingArguments<C>) => Words } } = MESSAGES;

function words<C extends FindingCode>({ code, args }: FindingOf<C>): Words {
  return TEXTS[code].text(args);
}

/** The words for a line of a terminal: what arguments quote makes no lines of its own. */
function shownWords<C extends FindingCode>({ code, args }: FindingOf<C>): Words {
  return TEXTS[code].text(withTexts(args, onOneLine));
}

/** A value with each text in it, at any depth, as a function makes it. */
function withTexts<T>(value: T, change: (text: string) => string): T;
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withTexts(item, change)]));
}

/** The first fifty findings in full, then a count. Ends with a newline unless there is nothing to say. */
export function renderFindings(findings: readonly Finding[], palette: Palette = PLAIN): string {
  if (findings.length === 0) return '';
  const rest = findings.length - SHOWN;
  const more = rest > 0 ? `\n… and ${plural(rest, 'more finding')}\n` : '';
  return `${findings
    .slice(0, SHOWN)
    .map((finding) => renderFinding(finding, palette))
    .join('\n')}${more}`;
}

function renderFinding(finding: Finding, palette: Palette): string {
  const { what, fix } = shownWords(finding);
  const severity = MESSAGES[finding.code].severity === 'warning' ? 'warning' : 'error';
  const place = finding.place;
  const where = place
    ? `${[onOneLine(place.file), place.line, place.column].filter((part) => part !== undefined).join(':')}: `
    : '';
  const head = `${palette.strong(where)}${palette[severity](severity)}: ${printable(what)} ${palette.quiet(`[${finding.code}]`)}`;
  return `${head}\n${place ? renderFrame(place, palette) : ''}  ${fix}\n`;
}

function renderFrame(place: NonNullable<Finding['place']>, palette: Palette): string {
  const { frame, line } = place;
  if (!frame || line === undefined) return '';
  const width = String(frame.firstLine + frame.lines.length - 1).length;
  let text = '';
  frame.lines.forEach((content, i) => {
    const number = frame.firstLine + i;
    text += `${palette.quiet(`${number === line ? '>' : ' '} ${String(number).padStart(width)} |`)}${content === '' ? '' : ` ${content}`}\n`;
    if (number === line) {
      // Tabs stay tabs, so that the mark stands below its character however wide they are.
      const blank = content
        .slice(0, frame.mark - 1)
        .replace(/[^\t]/g, ' ')
        .padEnd(frame.mark - 1);
      text += `${palette.quiet(`  ${' '.repeat(width)} |`)} ${blank}${palette.error('^')}\n`;
    }
  });
  return text;
}

/** A finding as a record: `code`, `severity`, `message`, `fix`, and `file`, `line`, `column` where known. */
export function findingRecord(finding: Finding): Record<string, string | number> {
  const { what, fix } = words(finding);
  const { file, line, column } = finding.place ?? {};
  return {
    code: finding.code,
    severity: MESSAGES[finding.code].severity === 'warning' ? 'warning' : 'error',
    message: what,
    fix,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}

/** A line for each finding: `::error file=...,line=...::message`. */
export function githubAnnotations(findings: readonly Finding[]): string {
  return findings.map((finding) => `${annotation(finding)}\n`).join('');
}

function annotation(finding: Finding): string {
  const { severity, code, message, fix, file, line, column } = findingRecord(finding);
  const properties = Object.entries({ file, line, col: column, title: `gridpress ${code}` })
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${property(String(value))}`]))
    .join(',');
  return `::${severity} ${properties}::${data(`${message}\n${fix}`)}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
