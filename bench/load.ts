/**
 * Load on a server, from wrk: it is written in C and takes less of a core than nginx does, where a generator in Node.js
 * would itself be what is measured.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export const CONNECTIONS = 32;

export interface Load {
  /** Requests per second. */
  readonly rate: number;
  /** Seconds within which 99 of 100 requests were answered. */
  readonly p99: number;
}

const MICROSECONDS = 1e6;
const summarySchema = z.strictObject({
  requests: z.number(),
  microseconds: z.number(),
  p99: z.number(),
  errors: z.literal(0),
});

/** wrk tells what it measured to a function of this name. */
const SCRIPT = `function done(summary, latency)
  local e = summary.errors
  print(string.format('{"requests":%d,"microseconds":%d,"p99":%d,"errors":%d}', summary.requests, summary.duration,
    latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end
`;

/** Asks for one URL for some seconds, as fast as it is answered. An answer that is no success ends the benchmark. */
export function load(url: string, seconds: number, folder: string): Load {
  const script = join(folder, 'done.lua');
  writeFileSync(script, SCRIPT);
  const said = execFileSync('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script, url], {
    encoding: 'utf8',
  });
  const { requests, microseconds, p99 } = summarySchema.parse(JSON.parse(said.trim().split('\n').at(-1) ?? ''));
  return { rate: (requests * MICROSECONDS) / microseconds, p99: p99 / MICROSECONDS };
}
