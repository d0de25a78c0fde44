import type { Command } from 'commander';
import { Failure, type Finding } from '../core/diagnostics/finding.ts';
import { ALLOWED_SIGNERS, addCommand, MIN_SERIAL, parseNonEmpty, parsePositive, TIMEOUT } from './options.ts';
import { fromRoot } from './project-root.ts';
import { type PlaceResult, printResult, printResults } from './results.ts';

const OLDER = 'accept trees of old revisions that violate current schema rules';

interface VerifyFlags {
  readonly thorough: boolean;
  readonly json?: boolean;
  readonly timeout: number;
  readonly requests: number;
  readonly older: boolean;
  readonly allowedSigners?: string;
  readonly minSerial?: number;
  readonly private?: string;
}

export function defineVerifyCommands(program: Command): void {
  defineVerify(program);
  defineCrawl(program);
}

function defineVerify(program: Command): void {
  addCommand(program, 'verify', 'Verify that a tree is complete and unaltered.', [
    'verify',
    'verify public',
    'verify archives/gridpress-meridian-91a3482452c7f2d4d0e31a2c9a1d5f0f2b6c7d8e.tar.gz',
    'verify dist mirror.bundle',
    'verify https://api.testbed.example.org/ --requests 500000',
    'verify --private registry-data',
    'verify mirror --allowed-signers testbed.signers --min-serial 222',
  ])
    .argument('[places...]', 'folders of trees, archives (.tar, .tar.gz), bundles, or base URLs (default: dist)')
    .option('--older', OLDER, false)
    .option('--thorough', 'URL: request each document X also at X/ and X.json', false)
    .option(...ALLOWED_SIGNERS)
    .option(...MIN_SERIAL)
    .option('--private <registry>', 'also search every file for private values of this registry', parseNonEmpty)
    .option(...TIMEOUT)
    .option('--requests <number>', 'maximum number of requests', parsePositive, 100_000)
    .action(async (given: readonly string[], options: VerifyFlags, command: Command) => {
      const { verifyTree, describeVerified, isUrl } = await import('./verify-place.ts');
      const places = given.length > 0 ? given : [fromRoot('dist')];
      if (options.private !== undefined && places.some(isUrl))
        command.error('error: --private searches files. Name a folder, an archive or a bundle instead of a URL.');
      const results: PlaceResult[] = [];
      for (const place of places) {
        const showsProgress = options.json !== true;
        try {
          const result = await verifyTree({
            ...options,
            maxRequests: options.requests,
            place,
            trust: options,
            showsProgress,
          });
          const { findings: found, ...record } = result;
          const findings = [...found, ...(await privateFindings(place, options.private))];
          results.push({ record, text: () => describeVerified({ ...result, findings }), findings });
        } catch (error) {
          // A place without a tree must not stop the verification of other places.
          if (places.length === 1 || !(error instanceof Failure)) throw error;
          results.push({ record: { place }, text: () => '', findings: error.findings });
        }
      }
      await printResults(options, results);
    });
}

async function privateFindings(place: string, registry: string | undefined): Promise<Finding[]> {
  if (registry === undefined) return [];
  const { privateValueFindings } = await import('../features/verify/private-values.ts');
  return await privateValueFindings(place, registry);
}

interface CrawlFlags {
  readonly json?: boolean;
  readonly timeout: number;
  readonly requests: number;
  readonly older: boolean;
  readonly thorough: boolean;
  readonly under?: string;
  readonly sample?: number;
}

function defineCrawl(program: Command): void {
  addCommand(program, 'crawl', 'Follow every link of a service, and check every answer.', [
    'crawl https://api.testbed.example.org/',
    'crawl http://127.0.0.1:8080/ --thorough --requests 500000',
    'crawl https://api.testbed.example.org/ --under /sites/lyra',
    'crawl https://api.testbed.example.org/ --sample 20',
  ])
    .argument('<url>', 'the base URL of the API')
    .option('--older', OLDER, false)
    .option('--thorough', 'also request histories and snapshots that no link names', false)
    .option('--under <path>', 'request only this path and the paths below it', parseNonEmpty)
    .option('--sample <number>', 'request at most this many documents of each endpoint', parsePositive)
    .option(...TIMEOUT)
    .option('--requests <number>', 'maximum number of requests', parsePositive, 100_000)
    .action(async (url: string, options: CrawlFlags) => {
      const { crawlService, describeCrawled } = await import('../features/verify/crawl-service.ts');
      const result = await crawlService({
        ...options,
        maxRequests: options.requests,
        url,
        showsProgress: options.json !== true,
      });
      const { findings, ...record } = result;
      await printResult(options, record, () => describeCrawled(result), findings);
    });
}
