/** Texts and patterns of Lua (5.1). */
import type { HostRules } from '../rules.ts';

/** Lua patterns have no alternatives: one for each template. */
export function alternatives(classes: readonly Pick<HostRules['raw'][number], 'templates'>[]): string {
  return classes
    .flatMap(({ templates }) => templates)
    .map((template) => `match(path, ${quoted(`^${luaPattern(template)}$`)})`)
    .join('\n    or ');
}

export function luaPattern(template: string): string {
  return template
    .split('/')
    .map((segment) => {
      if (segment === '{version_id}') return '%x+';
      return segment.startsWith('{') ? '[^/]+' : segment.replace(/[^A-Za-z0-9]/g, '%$&');
    })
    .join('/');
}

/** A string of Lua, with its decimal escapes (Lua 5.1, section 2.1). */
export function quoted(text: string): string {
  const escaped = text.replace(/["\\\p{Cc}]/gu, (character) =>
    /["\\]/.test(character) ? `\\${character}` : `\\${String(character.charCodeAt(0)).padStart(3, '0')}`,
  );
  return `"${escaped}"`;
}
