/** Matching backtracks only to the last wildcard, so it takes at most (pattern length × text length) steps. */

export type PatternPart = string | typeof ONE | typeof MANY;

export const ONE = Symbol('one character');
export const MANY = Symbol('any text');

/** `*` matches any text, and every other character matches itself. */
export function starPattern(pattern: string): PatternPart[] {
  return [...pattern].map((character) => (character === '*' ? MANY : character));
}

export function matchesPattern(text: string, pattern: readonly PatternPart[]): boolean {
  let at = 0;
  let part = 0;
  let retryAt = 0;
  let retryPart = -1;
  while (at < text.length) {
    const wanted = pattern[part];
    const character = wanted === MANY || wanted === undefined ? '' : characterAt(text, at);
    if (wanted === MANY) {
      retryPart = ++part;
      retryAt = at;
    } else if (wanted !== undefined && (wanted === ONE || wanted === character)) {
      part++;
      at += character.length;
    } else if (retryPart >= 0) {
      retryAt += characterAt(text, retryAt).length;
      at = retryAt;
      part = retryPart;
    } else {
      return false;
    }
  }
  return pattern.slice(part).every((rest) => rest === MANY);
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}
