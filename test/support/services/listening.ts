/** Fake servers on free ports, for the tests of a file. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { closeAtEnd } from '../trees/served.ts';

/** Listens until the tests of the file end; returns the origin without a trailing slash. */
export async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAtEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen');
  return `http://127.0.0.1:${address.port}`;
}
