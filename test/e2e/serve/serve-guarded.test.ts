/**
 * Requests that `serve` rejects: files outside the tree through links, and host names of other sites that resolve to
 * this machine.
 */
import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTrees, type Serving, serveTrees } from '../../../src/features/serve/serve.ts';
import { answerSettings } from '../../../src/features/serve/served-tree.ts';
import { newFolder } from '../../support/folders.ts';
import { writeTestbed } from '../../support/registries/testbed.ts';
import { builtTree } from '../../support/trees/bundled.ts';

let tree: string;
let serving: Serving;

beforeAll(async () => {
  tree = await builtTree(writeTestbed(newFolder()).registry);
  serving = await serveTrees({
    trees: openTrees(tree, answerSettings(undefined)),
    host: '127.0.0.1',
    port: 0,
    onBug: (error) => {
      throw error;
    },
  });
});

afterAll(() => serving.close());

/** Returns the status and the body of a response. */
function responseTo(path: string, host: string): Promise<readonly [number | undefined, string]> {
  return new Promise((resolve, reject) => {
    request({ port: serving.port, path, headers: { Host: host } }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve([response.statusCode, body]));
    })
      .on('error', reject)
      .end();
  });
}

test.each(['localhost', 'LOCALHOST:80', '127.0.0.1', '127.1.2.3:8080', '[::1]:80', 'api.localhost'])(
  'serve answers requests for the host %s',
  async (host) => {
    expect((await responseTo('/sites', host))[0]).toBe(200);
  },
);

test.each([
  'evil.example',
  'evil.example:80',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  '10.0.0.1',
  '[::2]',
  'xlocalhost',
])('serve rejects requests for the host %s', async (host) => {
  expect(await responseTo('/sites', host)).toEqual([
    421,
    '{"type":"about:blank","title":"Misdirected Request","status":421,"detail":"This server only answers requests to localhost and to loopback addresses. To use another name, start it with --address."}',
  ]);
});

test('serve does not follow a link out of the tree, to a file or through a folder', async () => {
  const outside = mkdtempSync(join(newFolder(), 'outside-'));
  const secret = '{"secret":true}';
  writeFileSync(join(outside, 'secret.json'), secret.padEnd(100_000));
  writeFileSync(join(outside, 'lyra.json'), secret.padEnd(100_000));
  const [file, folder] = [join(tree, 'sites.json'), join(tree, 'sites')];
  renameSync(file, `${file}.kept`);
  symlinkSync(join(outside, 'secret.json'), file);
  renameSync(folder, `${folder}.kept`);
  symlinkSync(outside, folder);
  try {
    for (const path of ['/sites', '/sites/lyra']) {
      const [status, body] = await responseTo(path, 'localhost');
      expect(status).toBe(503);
      expect(body).not.toContain('secret');
    }
  } finally {
    for (const path of [file, folder]) {
      rmSync(path);
      renameSync(`${path}.kept`, path);
    }
  }
  expect((await responseTo('/sites', 'localhost'))[0]).toBe(200);
});

/** Sends a request as it is, and returns the whole response. */
function responseToText(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(serving.port, '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', () => resolve(received));
  });
}

test('serve rejects a request with several Host headers', async () => {
  const host = 'Host: localhost\r\n';
  const request = (hosts: string) => `GET /sites HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`;
  expect(await responseToText(request(host))).toMatch(/^HTTP\/1\.1 200 /);
  expect(await responseToText(request(host + host))).toMatch(/^HTTP\/1\.1 400 .*"status":400/s);
});

test('serve answers CONNECT with 405, and survives a client that resets the connection', async () => {
  const sent = (isReset: boolean) =>
    new Promise<string>((resolve) => {
      const socket = connect(serving.port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(text));
      socket.write(
        'CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
        () => isReset && socket.resetAndDestroy(),
      );
    });
  for (let time = 0; time < 20; time++) await sent(true);
  expect(await sent(false)).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n.*"status":405/s);
});
