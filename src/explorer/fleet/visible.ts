/** Replaces invisible characters, except line breaks, and characters that change the direction of text. */
export function visible(value: string): string {
  return value.replace(
    /(?!\n)[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu,
    (sign) => `\u27e8U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}\u27e9`,
  );
}
