import { type Command, Option } from 'commander';
import { FORMATS } from '../core/observe/formats.ts';
import { outPalette } from '../system/terminal/terminal.ts';
import { addRegistryCommand, type CommonOptions, collectNames, DRY_RUN, parseNonEmpty, TIMEOUT } from './options.ts';
import { printDone, writtenRecord } from './results.ts';

interface ObserveFlags extends CommonOptions {
  readonly from?: string;
  readonly url?: string[];
  readonly user?: string;
  readonly timeout: number;
  readonly pciIds?: string;
  readonly add: boolean;
  readonly accept: boolean;
  readonly site?: string;
  readonly cluster?: string;
  readonly dryRun: boolean;
}

export function defineObserveCommand(program: Command): void {
  addRegistryCommand(program, 'observe', 'Update the files of nodes from hardware reports of their machines.', [
    'observe reports --from ironic --dry-run',
    'observe reports --from ironic --add --site lyra',
    'observe nodes.json --from slurm --add',
    'observe --url https://bmc-c01.example.org --user reader',
  ])
    .argument('[reports...]', 'files or folders with reports, or - for standard input')
    .addOption(
      new Option('--from <format>', 'the format of the reports (default: recognise each)').choices(
        FORMATS.map(({ name }) => name),
      ),
    )
    .option('--url <url>', 'read a Redfish service; repeat it for more', collectNames)
    .option('--user <name>', 'user of the services; the password is in GRIDPRESS_REDFISH_PASSWORD', parseNonEmpty)
    .option(...TIMEOUT)
    .option('--pci-ids <file>', 'names of PCI devices, such as /usr/share/misc/pci.ids', parseNonEmpty)
    .option('--add', 'add machines without a node as new nodes', false)
    .option(
      '--site <uid>',
      'the site of new nodes (default: the only one with a cluster), and of nodes found by name',
      parseNonEmpty,
    )
    .option(
      '--cluster <uid>',
      'the cluster of new nodes, if the site has several, and of nodes found by name',
      parseNonEmpty,
    )
    .option('--accept', 'allow a uid to move to another machine', false)
    .option(...DRY_RUN)
    .action(async (places: string[], { url: urls = [], ...flags }: ObserveFlags, command: Command) => {
      if (flags.user !== undefined && urls.length === 0) command.error('error: --user needs --url.');
      const { observe, describeObserved } = await import('../features/observe/observe.ts');
      const { GRIDPRESS_REDFISH_PASSWORD: password } = process.env;
      const { findings, ...observed } = await observe({ ...flags, places, urls, password });
      const text = () => describeObserved({ ...observed, findings }, outPalette);
      await printDone(flags, writtenRecord(observed), text, findings);
    });
}
