/**
 * A text with memory of its own. What is cut out of a text is kept by engines as a place in it, so that one path out of a
 * file of fifty megabytes keeps all of them.
 */
export function ownText(text: string): string {
  const copy: unknown = JSON.parse(JSON.stringify(text));
  return typeof copy === 'string' ? copy : text;
}
