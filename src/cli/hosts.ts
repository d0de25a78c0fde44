import type { Command } from 'commander';
import { outPalette, print } from '../system/terminal/terminal.ts';
import { addCommand, type CommonOptions, parsePositive } from './options.ts';
import { printResult } from './results.ts';

export function defineHostCommands(program: Command): void {
  addCommand(program, 'probe', 'Check a deployment against the API contract over HTTP, without changing anything.', [
    'probe https://api.testbed.example.org/',
    'probe http://127.0.0.1:8080/ --host nginx',
  ])
    .argument('<url>', 'the base URL of the API')
    .option('--host <name>', 'the host that serves the API; accept its known limits')
    .option('--rate <number>', 'maximum number of requests per second', parsePositive, 200)
    .option('--timeout <seconds>', 'time limit of an answer', parsePositive, 10)
    .option('--requests <number>', 'maximum number of requests', parsePositive, 10_000)
    .action(
      async (
        url: string,
        options: CommonOptions & { host?: string; rate: number; timeout: number; requests: number },
      ) => {
        const { describeProbed, probeUrl } = await import('../features/verify/probe-service.ts');
        const show = (text: string) => {
          if (options.json !== true) print(text);
        };
        const result = await probeUrl(
          { ...options, maxRequests: options.requests, url },
          (probed) => show(describeProbed(probed, outPalette)),
          () => show('Another revision was published in the meantime. The probe starts again.\n'),
        );
        const wrong = result.results.filter(({ outcome }) => outcome === 'wrong').length;
        await printResult(
          options,
          result,
          () =>
            `${wrong === 0 ? 'Nothing is wrong' : `${wrong} of ${result.results.length} are wrong`}, after ${result.requests} requests.\n`,
        );
      },
    );

  addCommand(program, 'hosts', 'Show the capabilities of each host.', [
    'hosts',
    'hosts --markdown > docs/hosts/README.md',
  ])
    .option('--markdown', 'print the table as a documentation page')
    .action(async (options: CommonOptions & { markdown?: boolean }) => {
      const [{ HOSTS }, { hostsDocument, matrix, matrixText }] = await Promise.all([
        import('../core/hosts/all.ts'),
        import('../core/hosts/matrix.ts'),
      ]);
      const text = () => (options.markdown === true ? hostsDocument(HOSTS) : matrixText(HOSTS));
      await printResult(
        options,
        { hosts: HOSTS.map(({ name, title, evidence }) => ({ name, title, evidence })), capabilities: matrix(HOSTS) },
        text,
      );
    });
}
