/** How wide texts are in the page's font. */

/** Of a letter where a browser draws nothing, in font sizes. */
const WIDE_LETTER = 0.7;

/** Measures texts, in pixels. The weight is as in CSS. */
export function measureOfTexts(weight = 400): (text: string) => number {
  const { fontSize, fontFamily } = getComputedStyle(document.body);
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return (text) => text.length * Number.parseFloat(fontSize) * WIDE_LETTER;
  context.font = `${weight} ${fontSize} ${fontFamily}`;
  return (text) => context.measureText(text).width;
}
