import { latexText } from './text-table.ts';

/** Maps combining accents to LaTeX commands. */
const ACCENTS: Readonly<Record<string, string>> = {
  '\u0300': '`',
  '\u0301': "'",
  '\u0302': '^',
  '\u0303': '~',
  '\u0304': '=',
  '\u0306': 'u',
  '\u0307': '.',
  '\u0308': '"',
  '\u030a': 'r',
  '\u030b': 'H',
  '\u030c': 'v',
  '\u0327': 'c',
};

/** Maps letters that Unicode cannot split into a letter and an accent, such as ø, to LaTeX commands. */
const LETTERS: Readonly<Record<string, string>> = {
  Æ: 'AE',
  æ: 'ae',
  Ø: 'O',
  ø: 'o',
  Ł: 'L',
  ł: 'l',
  Œ: 'OE',
  œ: 'oe',
  ß: 'ss',
  ı: 'i',
};

/** Escapes a text for BibTeX. Accented letters become commands, because BibTeX can split a UTF-8 letter. */
export function bibtexValue(text: string): string {
  return latexText(text).replace(/[\u00c0-\u017f]/g, (letter) => {
    const [base = '', mark = ''] = letter.normalize('NFD');
    const [accent, command] = [ACCENTS[mark], LETTERS[letter]];
    if (accent !== undefined) return `{\\${accent}{${base}}}`;
    return command === undefined ? letter : `{\\${command}}`;
  });
}
