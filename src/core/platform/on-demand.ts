/** What is made when it is first asked for. */

/** A value that is made when it is first asked for, and only once. */
export type Lazy<T> = () => T;

export function lazily<T>(make: () => T): Lazy<T> {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
