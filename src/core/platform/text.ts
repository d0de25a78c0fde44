/**
 * What in a text steers whoever reads it: control characters but tabs and newlines, what turns the direction of a text
 * (Unicode, UAX 9), and what ends a line for some.
 */
export const STEERING = /[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu;

/** JSON in which all of it is escaped: the same values. */
export function printableJson(json: string): string {
  return json.replace(STEERING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as HTML and SVG show it, within quoted attributes as well. What would turn the text around it is shown as a sign. */
export function escapedHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '').replace(STEERING, '\ufffd');
}

/**
 * A text without the characters of one kind at its end. A pattern such as `\n+$` would look from each of many in the middle
 * for the end, again and again.
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

/**
 * A text with memory of its own. What is cut out of a text is kept by engines as a place in it, so that one path out of a
 * file of fifty megabytes keeps all of them.
 */
export function ownText(text: string): string {
  const copy: unknown = JSON.parse(JSON.stringify(text));
  return typeof copy === 'string' ? copy : text;
}
