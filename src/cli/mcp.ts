import type { Command } from 'commander';
import { addCommandWithoutJson, parseNonEmpty } from './options.ts';

export function defineMcpCommand(program: Command): void {
  addCommandWithoutJson(program, 'mcp', 'Answer questions of AI assistants, over the Model Context Protocol.', [
    'mcp --from https://api.testbed.example.org/',
    'mcp --from /data/registry-data',
  ])
    .option('--from <place>', 'a base URL, or the folder of a tree or a registry', parseNonEmpty, 'registry-data')
    .action(async ({ from }: { from: string }) => {
      const { serveTools } = await import('../features/mcp/serve-tools.ts');
      await serveTools({ from });
    });
}
