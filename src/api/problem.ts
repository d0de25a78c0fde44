/** Problem documents (RFC 9457): what is answered instead of a resource. */

/** The body of a 404: the same for every path, so that a static host can answer it. */
export const NOT_FOUND = problem(
  404,
  'Not Found',
  'No resource has this path. Start at the root and follow its links.',
);

export const METHOD_NOT_ALLOWED = problem(
  405,
  'Method Not Allowed',
  'The API is read-only: use GET or HEAD.',
);

function problem(status: number, title: string, detail: string): string {
  return JSON.stringify({ type: 'about:blank', title, status, detail });
}
