/** Words that findings and results are told with alike. */

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

export function shortId(id: string): string {
  return id.slice(0, 8);
}
