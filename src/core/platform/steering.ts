/**
 * What in a text steers whoever reads it: control characters but tabs and newlines, what turns the direction of a text
 * (Unicode, UAX 9), and what ends a line for some.
 */
export const STEERING = /[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu;

/** JSON in which all of it is escaped: the same values. */
export function printableJson(json: string): string {
  return json.replace(STEERING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
