/** Creates load with wrk. A load generator in Node.js would use more processor time than nginx. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export const CONNECTIONS = 32;

export interface Load {
  readonly requests: number;
  /** The 99th percentile of the response time, in seconds. */
  readonly p99: number;
}

const MICROSECONDS = 1e6;
const summarySchema = z.strictObject({ requests: z.number(), p99: z.number(), errors: z.literal(0) });

/** wrk calls this function with its results. */
const SCRIPT = `function done(summary, latency)
  local e = summary.errors
  print(string.format('{"requests":%d,"p99":%d,"errors":%d}', summary.requests, latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end
`;

/** Requests one URL as fast as possible for some seconds. Any response but a success ends the benchmark. */
export function load(url: string, seconds: number, folder: string): Load {
  const script = join(folder, 'done.lua');
  writeFileSync(script, SCRIPT);
  const said = execFileSync('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script, url], {
    encoding: 'utf8',
  });
  const { requests, p99 } = summarySchema.parse(JSON.parse(said.trim().split('\n').at(-1) ?? ''));
  return { requests, p99: p99 / MICROSECONDS };
}
