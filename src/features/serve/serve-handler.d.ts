/** serve-handler, as far as it is used: its own declarations do not know that null takes a header away. */
declare module 'serve-handler' {
  import type { createReadStream } from 'node:fs';
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Config {
    readonly public: string;
    readonly cleanUrls: boolean;
    readonly directoryListing: boolean;
    readonly headers: readonly {
      readonly source: string;
      readonly headers: readonly { readonly key: string; readonly value: string | null }[];
    }[];
  }

  interface Methods {
    readonly createReadStream: (
      ...options: Parameters<typeof createReadStream>
    ) => ReturnType<typeof createReadStream>;
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
