/** The cases that every host is configured for. */
export const CASES = [
  ['current', ''],
  ['current', '/api/v1'],
  ['legacy', ''],
  ['legacy', '/api/v1'],
] as const;
