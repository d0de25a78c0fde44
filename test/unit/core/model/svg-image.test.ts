import { describe, expect, test } from 'vitest';
import { isSvgImage } from '../../../../src/core/model/svg-image.ts';

const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${content}</svg>`;

describe('an SVG image', () => {
  test.each([
    ['shapes', '<g fill="none">\n<path d="M0 0h9"/><circle r="3" /></g>'],
    ['texts', '<title>A testbed</title><text x="1">ü > a</text>'],
    [
      'references to a part of itself',
      '<defs><path id="a" d="M0 0h9"/></defs><use href="#a"/><path fill="url(#a)"/><use xlink:href="#a"/>',
    ],
    ['nothing', ''],
  ])('may contain %s', (_, content) => {
    expect(isSvgImage(svg(content))).toBe(true);
  });

  test.each([
    ['a script', '<script>alert(1)</script>'],
    ['a style sheet', '<style>*{fill:red}</style>'],
    ['HTML', '<foreignObject><b>x</b></foreignObject>'],
    ['an image', '<image href="https://example.org/a.png"/>'],
    ['a handler', '<path d="M0 0" onload="alert(1)"/>'],
    ['a handler in capitals', '<path\n ONload="alert(1)"/>'],
    ['a link', '<use href="https://example.org/a.svg#a"/>'],
    ['a link of an older form', '<use xlink:href="data:,x"/>'],
    ['a style', '<path style="fill:url(https://example.org/a)"/>'],
    ['a paint of another place', '<path fill="url(https://example.org/a)"/>'],
    ['a link with another prefix', '<use x:href="https://example.org/a"/>'],
    ['a base', '<g xml:base="https://example.org/"></g>'],
    ['an escape', '<path fill="u\\72l(https://example.org/a)"/>'],
    ['an end with attributes', '<g></g id="a">'],
    ['an entity', '<text>&lol;</text>'],
    ['an entity in an attribute', '<use href="#&#97;"/>'],
    ['a comment', '<!-- x -->'],
    ['an attribute without quotes', '<path d=M0/>'],
    ['an element that does not end', '<g>'],
    ['elements that overlap', '<g><text></g></text>'],
    ['a second image', '</svg><svg>'],
  ])('may not contain %s', (_, content) => {
    expect(isSvgImage(svg(content))).toBe(false);
  });

  test.each([
    '',
    'x',
    '<g/>',
    '<svg viewBox="0 0 9 9"></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<svg>',
    '<?xml version="1.0"?><svg xmlns="x"/>',
    `${svg('')}x`,
  ])('begins and ends with <svg>: %j', (text) => {
    expect(isSvgImage(text)).toBe(false);
  });
});
