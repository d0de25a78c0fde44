/** Appends the items one by one, because a call of `push` with more than about 100,000 arguments fails. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
