/** Limits and configuration files of Cloudflare's hosts. */
import { HOSTS_FOLDER } from '../../tree/layout.ts';
import type { Limit } from '../host.ts';
import type { HostRules } from '../rules.ts';

export function assetLimits(product: 'pages' | 'workers'): readonly Limit[] {
  const source = `developers.cloudflare.com/${product}/platform/limits`;
  return [
    {
      of: 'files',
      most: 20_000,
      paid: 100_000,
      source: `${source}: 20,000 files on the free plan, 100,000 on paid ones`,
    },
    { of: 'file-size', most: 25 * 1024 * 1024, source: `${source}: 25 MiB for one asset` },
  ];
}

/** The newest behaviour of the runtime that is asked for. */
const COMPATIBILITY_DATE = '2025-04-01';

/** The deployed folder as seen from the folder of a host's files, which stands in the tree. */
function deployedFolder({ prefix }: HostRules): string {
  return `../..${prefix.replaceAll(/\/[^/]+/g, '/..')}`;
}

export function wranglerFile(
  rules: HostRules,
  program: Readonly<Record<string, string>>,
  assets: Readonly<Record<string, string | boolean>>,
): string {
  const configuration = {
    name: 'testbed-api',
    ...program,
    compatibility_date: COMPATIBILITY_DATE,
    assets: { directory: deployedFolder(rules), html_handling: 'none', ...assets },
  };
  return `// gridpress: how to deploy the tree. Generated; do not edit.\n${JSON.stringify(configuration, null, 2)}\n`;
}

/** `.assetsignore`, written like `.gitignore`: what is not uploaded. */
export function ignoreFile({ prefix }: HostRules, more: readonly string[]): string {
  const folders = [HOSTS_FOLDER, ...more].map((name) => `${prefix}/${name}`);
  return `# gridpress: what is not deployed. Generated; do not edit.\n${['*.gz', '*.br', ...folders].join('\n')}\n`;
}
