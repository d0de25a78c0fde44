/** The cases for which every host is configured. */
export const CASES = [
  ['current', ''],
  ['current', '/api/v1'],
  ['legacy', ''],
  ['legacy', '/api/v1'],
] as const;
