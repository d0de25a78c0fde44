/** The head that answers show while many are read one after the other: as soon as one shows another, it has moved. */
import { endpointOf, showsHead } from '../api/endpoints.ts';
import { isJsonObject } from '../model/json.ts';
import { urlOfRequest } from '../tree/url-forms.ts';

export interface HeadWatch {
  /** Takes note of the body of a path, with or without suffix and query. */
  readonly see: (path: string, body: unknown) => void;
  /** The head, as the first body that showed it said. */
  readonly head: () => string | undefined;
  readonly hasMoved: () => boolean;
}

export function headWatch(): HeadWatch {
  let head: string | undefined;
  let hasMoved = false;
  return {
    see: (path, body) => {
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
