/** Detects that the head changes while a client reads many documents. */
import { endpointOf, showsHead } from '../api/endpoints.ts';
import { isJsonObject } from '../model/json.ts';
import { urlOfRequest } from '../tree/url-forms.ts';

export interface HeadWatch {
  /** Stores the head that a response body shows. The path can have a suffix and a query. */
  readonly observe: (path: string, body: unknown) => void;
  /** Returns the first head that a response body contained. */
  readonly head: () => string | undefined;
  readonly hasMoved: () => boolean;
}

export function headWatch(): HeadWatch {
  let head: string | undefined;
  let hasMoved = false;
  return {
    observe: (path, body) => {
      const url = urlOfRequest(path.replace(/\?.*$/s, ''));
      const endpoint = url === undefined ? undefined : endpointOf(url);
      if (!endpoint || !showsHead(endpoint) || !isJsonObject(body)) return;
      const { version } = body;
      if (typeof version !== 'string') return;
      head ??= version;
      if (version !== head) hasMoved = true;
    },
    head: () => head,
    hasMoved: () => hasMoved,
  };
}
