/** Formats a whole number: `12,345`. Loading the locales of the runtime would take ten milliseconds. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

export function shortId(id: string): string {
  return id.slice(0, 8);
}

export function truncated(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

export function tooLargeReason(bytes: number, limit: number): string {
  const shown = (size: number) => (limit < 1e6 ? `${formatCount(size)} bytes` : megabytes(size));
  return `it has ${shown(bytes)}, more than the ${shown(limit)} that are read`;
}
