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

const MOST_FINDINGS_SHOWN = 50;

/** Returns the exit status: 0 for warnings only, 1 for errors in the input, 2 for failures. */
export function exitStatus(findings: readonly Finding[]): 0 | 1 | 2 {
  const severities = findings.map(({ code }) => MESSAGES[code].severity);
  if (severities.includes('failure')) return 2;
  return severities.includes('error') ? 1 : 0;
}

interface Sentences {
  readonly what: string;
  readonly fix: string;
}

/** This type pairs the code of each message with the type of its arguments. TypeScript cannot infer the pairs. */
const TEXTS: { readonly [C in FindingCode]: { readonly text: (args: FindingArguments<C>) => Sentences } } = MESSAGES;

function sentencesOf<C extends FindingCode>({ code, args }: FindingOf<C>): Sentences {
  return TEXTS[code].text(args);
}

/** Returns the message for a terminal. Control characters and newlines in arguments are replaced. */
function printableSentences<C extends FindingCode>({ code, args }: FindingOf<C>): Sentences {
  return TEXTS[code].text(mapTexts(args, onOneLine));
}

/** Replaces all strings in a value, at any depth. */
function mapTexts<T>(value: T, change: (text: string) => string): T;
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]));
}

/** Renders the first fifty findings, then counts the remaining findings. */
export function renderFindings(findings: readonly Finding[], palette: Palette = PLAIN): string {
  if (findings.length === 0) return '';
  const rest = findings.length - MOST_FINDINGS_SHOWN;
  const more = rest > 0 ? `\n… and ${plural(rest, 'more finding')}\n` : '';
  return `${findings
    .slice(0, MOST_FINDINGS_SHOWN)
    .map((finding) => renderFinding(finding, palette))
    .join('\n')}${more}`;
}

function renderFinding(finding: Finding, palette: Palette): string {
  const { what, fix } = printableSentences(finding);
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
      // Keeps tabs in the indentation, so that the mark is below the right character at any tab width.
      const blank = content
        .slice(0, frame.mark - 1)
        .replace(/[^\t]/g, ' ')
        .padEnd(frame.mark - 1);
      text += `${palette.quiet(`  ${' '.repeat(width)} |`)} ${blank}${palette.error('^')}\n`;
    }
  });
  return text;
}

/** Returns `code`, `severity`, `message` and `fix`, and known values of `file`, `line` and `column`. */
export function findingRecord(finding: Finding): Record<string, string | number> {
  const { what, fix } = sentencesOf(finding);
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
