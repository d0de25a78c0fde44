/** Control characters except tabs and newlines, direction marks (Unicode, UAX 9), and unusual line separators. */
export const CONTROL_CHARACTERS = /[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu;

export function printableJson(json: string): string {
  return json.replace(CONTROL_CHARACTERS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for HTML and SVG, including quoted attributes. Control characters become U+FFFD. */
export function escapedHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '').replace(CONTROL_CHARACTERS, '\ufffd');
}

/**
 * Removes all copies of a character from the end of a text, in linear time. The pattern `\n+$` would take quadratic
 * time.
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

/** Copies a text, because a substring keeps the whole original text in memory. */
export function ownText(text: string): string {
  return ` ${text}`.slice(1);
}
