const SHAPES = 'svg g path rect circle ellipse line polyline polygon text tspan use';
const PAINT = 'defs symbol linearGradient radialGradient stop clipPath mask title desc';
const ELEMENTS: ReadonlySet<string> = new Set(`${SHAPES} ${PAINT}`.split(' '));
const TAG_OR_TEXT = /<(\/?)([A-Za-z]+)((?:\s+[\w:.-]+="[^"<>&]*")*)\s*(\/?)>|[^<&]+/gy;
/** Matches attributes that make an SVG image active: event handlers, styles, and links to other files. */
const ACTIVE_ATTRIBUTE =
  /\s(?:on[\w:.-]*=|style=|href="(?!#)|(?!xmlns:xlink=|xml:space=|xlink:href="#)[\w.-]+:)|url\((?!#)|image-set|src\(|\\/i;
const START = /^<svg(?:\s[^>]*)?\sxmlns="http:\/\/www\.w3\.org\/2000\/svg"/;

/** Whether a text is an SVG image without scripts, styles, external links, comments and entities. */
export function isSvgImage(text: string): boolean {
  const open: string[] = [];
  let end = 0;
  for (const [part, slash, name, attributes = '', isEmpty] of text.matchAll(TAG_OR_TEXT)) {
    if (end > 0 && open.length === 0) return false;
    end += part.length;
    if (name === undefined) continue;
    if (!ELEMENTS.has(name) || ACTIVE_ATTRIBUTE.test(attributes)) return false;
    if (slash === '/' && (open.pop() !== name || attributes !== '')) return false;
    if (slash === '' && isEmpty === '') open.push(name);
    else if (open.length === 0 && slash === '') return false;
  }
  return end === text.length && open.length === 0 && START.test(text);
}
