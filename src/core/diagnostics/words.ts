/** A whole number with commas: `12,345`. The locales of the runtime take ten milliseconds to load. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** A text of so many characters at the most, of which the last one says that it was longer. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Why something was not read. */
export function tooLarge(bytes: number, limit: number): string {
  const shown = (size: number) => (limit < 1e6 ? `${grouped(size)} bytes` : megabytes(size));
  return `it has ${shown(bytes)}, more than the ${shown(limit)} that are read`;
}
