/** The types of the package serve-handler do not allow the header value `null`, which removes a header. */
declare module 'serve-handler' {
  import type { IncomingMessage, ServerResponse } from 'node:http';
  import type { Readable } from 'node:stream';

  interface Config {
    readonly public: string;
    readonly cleanUrls: boolean;
    readonly directoryListing: boolean;
    readonly headers: readonly {
      readonly source: string;
      readonly headers: readonly { readonly key: string; readonly value: string | null }[];
    }[];
  }

  interface Status {
    readonly size: number;
    readonly mtime: Date;
    readonly isDirectory: () => boolean;
    readonly isSymbolicLink: () => boolean;
  }

  interface Methods {
    readonly lstat: () => Promise<Status>;
    readonly createReadStream: (path: string, part: { readonly start?: number; readonly end?: number }) => Readable;
    readonly sendError: () => Promise<void>;
  }

  function serveHandler(
    request: IncomingMessage,
    response: ServerResponse,
    config: Config,
    methods: Methods,
  ): Promise<void>;
  export = serveHandler;
}
