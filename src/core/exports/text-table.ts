/** Tables for documents, and escapes for the cells in Markdown (GFM), LaTeX and HTML. */

import { CONTROL_CHARACTERS, ENTITIES } from '../platform/text.ts';

export interface TableHead {
  readonly text: string;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
}

export interface TextTable {
  readonly caption: string;
  readonly head: readonly TableHead[];
  /** Each text has one line. */
  readonly rows: readonly (readonly string[])[];
}

export const TABLE_FORMS = ['markdown', 'latex', 'html'] as const;
export type TableForm = (typeof TABLE_FORMS)[number];

/** `bibtex` is the bibliography entry of the revision. The other forms contain a paragraph and a table. */
export const SETUP_FORMS = ['text', 'markdown', 'latex', 'bibtex'] as const;
export type SetupForm = (typeof SETUP_FORMS)[number];

/** Escapes every character with a meaning in GFM (https://github.github.com/gfm/#backslash-escapes). */
export function markdownText(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]<>#|~!$&]/g, '\\$&');
}

const LATEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  // BibTeX counts braces even after a backslash, so LaTeX commands replace braces.
  '{': '\\textbraceleft{}',
  '}': '\\textbraceright{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': "{''}",
  '×': '$\\times$',
  '…': '\\ldots{}',
  '°': '\\textdegree{}',
  µ: '\\textmu{}',
  '®': '\\textregistered{}',
  '™': '\\texttrademark{}',
  '–': '{--}',
  '—': '{---}',
  '‘': '{`}',
  '’': "{'}",
  '“': '{``}',
  '”': "{''}",
  '\u202f': '\\,',
  '\u00a0': '~',
};

/**
 * Escapes a text for LaTeX. Brackets and asterisks get braces, because LaTeX reads them as an option of `\\` at the
 * start of a row. A hyphen before another hyphen gets braces, because LaTeX joins two hyphens into a dash. Letters
 * outside the default fonts become question marks, because pdfLaTeX stops at them.
 */
export function latexText(text: string): string {
  return oneLine(text)
    .replace(
      /[\\{}~^<>|"×…°µ\u202f\u00a0]|[$&#_%]|[[\]*]|-(?=-)|[ÐÞðþĄąĐđĘęĦħĮįĸĿŀŉŊŋŦŧŲųſ]|[^\x20-\x7e\u00c0-\u017e]/gu,
      (character) => {
        if (/[$&#_%]/.test(character)) return `\\${character}`;
        if (/[[\]*-]/.test(character)) return `{${character}}`;
        return LATEX[character] ?? '?';
      },
    )
    .replace(SPACE_BEFORE_UNIT, '$1~');
}

/** Returns a URL for LaTeX and BibTeX. Encodes characters that would end the command, and letters without a glyph. */
export function latexUrl(url: string): string {
  const encoded = url.replace(/\p{Cs}/gu, '\ufffd').replace(/[\\{}]|[^\x21-\x7e]/gu, encodeURIComponent);
  return `\\url{${encoded}}`;
}

/** Matches a digit and a space before a unit, where LaTeX must not break a line. */
export const SPACE_BEFORE_UNIT = /(\d) (?=(?:[kMGT]?i?B|[kMGT]?Hz|[kMGT]?bps)\b)/g;

export function htmlText(text: string): string {
  return oneLine(text).replace(/[&<>]/g, (character) => ENTITIES[character] ?? '');
}

function oneLine(text: string): string {
  return text.replace(/[\t\n]/g, ' ').replace(CONTROL_CHARACTERS, '\ufffd');
}
