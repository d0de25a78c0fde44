/** superstatic, the file server of the Firebase emulator. */
import { join } from 'node:path';
import { firebase } from '../../src/core/hosts/firebase.ts';
import { BROKEN_ESCAPE, type Emulator, freePort, listening, startProgram, without } from './emulator.ts';

const SUPERSTATIC = 'superstatic@9.2.0';

export const firebaseEmulator: Emulator = {
  host: firebase,
  title: SUPERSTATIC,
  packages: ['node@22', SUPERSTATIC],
  asking: without(BROKEN_ESCAPE),
  differences: [
    { capability: 'etag', why: 'It never answers with 304, and its ETags have no quotes.' },
    {
      capability: 'not-found',
      why: 'A broken escape ends it: it is not asked for one. Names that are too long for a file end in 500. What is not deployed it answers.',
      covers: /%\S* answers 0, | \(3\d\d characters\) answers 500, |^\/(?:40[45]|_gone\/\S+)\.json answers 200, /,
    },
    {
      capability: 'queries',
      why: 'A broken escape ends it: it is not asked for one.',
      covers: /%zz\S* is not the plain document$/,
    },
    { capability: 'precompressed', why: 'It compresses nothing.' },
  ],
  start: async ({ root }, tools) => {
    const port = await freePort();
    const bin = join(tools.folder, 'node_modules');
    const running = await startProgram({
      command: [
        join(bin, '.bin', 'node'),
        join(bin, 'superstatic', 'lib', 'bin', 'server.js'),
        ...['.', '--host', '127.0.0.1', '--port', String(port), '--config', 'firebase.json'],
      ],
      cwd: root,
      url: `http://127.0.0.1:${port}`,
      ready: /Superstatic started/,
    });
    await listening(port);
    return running;
  },
};
