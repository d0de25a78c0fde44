import { describe, expect, test } from 'vitest';
import type { ProbeRequest } from '../../../../../src/core/api/http-exchange.ts';
import { askOnce } from '../../../../../src/core/hosts/probe/probe.ts';

const PLAIN = { path: '/sites' };

/** A server with bodies of one size, and the requests that it received. */
function server(size: number) {
  const asked: ProbeRequest[] = [];
  const ask = askOnce(async (request) => {
    asked.push(request);
    return { status: 200, headers: {}, body: new Uint8Array(size) };
  });
  return { ask, asked };
}

describe('askOnce', () => {
  test('sends plain requests once for each path', async () => {
    const { ask, asked } = server(10);
    const [first, other, again] = [await ask(PLAIN), await ask({ path: '/' }), await ask(PLAIN)];
    expect(asked).toEqual([PLAIN, { path: '/' }]);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  test.each([{ method: 'HEAD' }, { headers: { Accept: '*/*' } }])('repeats requests with %j', async (more) => {
    const { ask, asked } = server(10);
    for (let time = 0; time < 2; time++) await ask({ ...PLAIN, ...more });
    await ask(PLAIN);
    expect(asked).toEqual([{ ...PLAIN, ...more }, { ...PLAIN, ...more }, PLAIN]);
  });

  test('does not cache large bodies', async () => {
    const { ask, asked } = server((1 << 20) + 1);
    for (let time = 0; time < 2; time++) await ask(PLAIN);
    expect(asked).toEqual([PLAIN, PLAIN]);
  });
});
