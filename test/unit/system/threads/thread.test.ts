import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { startThread } from '../../../../src/system/threads/thread.ts';
import { newFolder } from '../../../support/folders.ts';

/** A thread that does this with each request. */
function threadThat(does: string) {
  const file = join(newFolder(), 'worker.js');
  writeFileSync(
    file,
    `const { parentPort } = require('node:worker_threads'); parentPort.on('message', ({ request }) => { ${does} });`,
  );
  return startThread<string, string>(pathToFileURL(file), {}, { maxOldGenerationSizeMb: 16 });
}

test('a thread without memory says what to do, to all who wait for it and to whoever asks it next', async () => {
  const thread = threadThat('const all = []; for (;;) all.push(new Array(100_000).fill(request));');
  const failure = { findings: [{ code: 'out-of-memory' }] };
  await Promise.all(['first', 'second'].map((request) => expect(thread.ask(request)).rejects.toMatchObject(failure)));
  await expect(thread.ask('third')).rejects.toMatchObject(failure);
});

test('a thread that ends fails whoever waits for it', async () => {
  const thread = threadThat('process.exit(0);');
  await expect(thread.ask('anything')).rejects.toThrow('a thread ended before it had answered');
});
