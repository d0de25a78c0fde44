/**
 * A text without the characters of one kind at its end. A pattern such as `\n+$` would look from each of many in the middle
 * for the end, again and again.
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
