import { STEERING } from './steering.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as HTML and SVG show it, within quoted attributes as well. What would turn the text around it is shown as a sign. */
export function escapedHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '').replace(STEERING, '\ufffd');
}
