/** Problem documents (RFC 9457): what is answered instead of a resource. */

/** The body of a 404: the same for every path, so that a static host can answer it. */
export const NOT_FOUND = problem(
  404,
  'Not Found',
  'No resource has this path. Start at the root and follow its links.',
);

export const METHOD_NOT_ALLOWED = problem(405, 'Method Not Allowed', 'The API is read-only: use GET or HEAD.');

export const MISDIRECTED = problem(
  421,
  'Misdirected Request',
  'This server listens on its own machine alone, and answers to localhost and its addresses there. Listen elsewhere with --host.',
);

export const BAD_REQUEST = problem(
  400,
  'Bad Request',
  'The request cannot be understood: look at its path and its headers, of which each may be there once.',
);

export const PRECONDITION_FAILED = problem(
  412,
  'Precondition Failed',
  'The document is not, or no longer, the one that If-Match or If-Unmodified-Since asks for.',
);

export const URI_TOO_LONG = problem(414, 'URI Too Long', 'No resource has a path or a query as long as this.');

export const RANGE_NOT_SATISFIABLE = problem(
  416,
  'Range Not Satisfiable',
  'The document ends before the range begins.',
);

export const UNAVAILABLE = problem(
  503,
  'Service Unavailable',
  'The tree is being replaced, or a file of it is gone. Try again in a moment.',
);

function problem(status: number, title: string, detail: string): string {
  return JSON.stringify({ type: 'about:blank', title, status, detail });
}
