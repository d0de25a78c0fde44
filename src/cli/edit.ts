import { type Command, Option } from 'commander';
import type { Edited } from '../features/edit/apply-edits.ts';
import { outPalette } from '../system/terminal/terminal.ts';
import {
  ALLOW_UNKNOWN,
  addExamples,
  addRegistryCommand,
  type CommonOptions,
  DRY_RUN,
  parseNonEmpty,
  parsePositive,
} from './options.ts';
import { printDone, printResult, writtenRecord } from './results.ts';

interface EditFlags extends CommonOptions {
  readonly dryRun: boolean;
  readonly message?: string;
  readonly author?: string;
  readonly allowUnknown: boolean;
}

interface NodeFlags extends EditFlags {
  readonly site?: string;
  readonly cluster?: string;
  readonly like?: string;
  readonly names?: string[];
  readonly count?: number;
  readonly from?: string;
  readonly update?: boolean;
}

interface SiteFlags extends EditFlags {
  readonly class: string;
  readonly cluster?: string;
}

const NODES = {
  syntax: '<nodes...>',
  description: 'a query in CQL2 text, or paths, uids, names and patterns of names of resources',
};

export function defineEditCommands(program: Command): void {
  const add = addExamples(
    program.command('add').description('Add nodes, sites, clusters or flavors to the registry.'),
    ['add site lyra', "add node --site lyra --names 'lyra-c{01..20}'"],
  );
  defineAddNode(add);
  defineAddSite(add);
  defineAddCluster(add);
  defineAddFlavor(add);
  defineSet(program);
  defineEdit(program);
  definePath(program);
  defineRetire(program);
  defineRename(program);
}

function addWritingOptions(defined: Command): Command {
  return addRecordingOptions(defined.option(...DRY_RUN));
}

function addRecordingOptions(defined: Command): Command {
  return defined
    .option('-m, --message <text>', 'record all unrecorded changes with this message', parseNonEmpty)
    .option('--author <name>', 'author of the revision (with --message)', parseNonEmpty)
    .option(...ALLOW_UNKNOWN)
    .hook('preAction', (command) => {
      const { author, message } = command.opts<EditFlags>();
      if (author !== undefined && message === undefined) command.error('error: --author needs --message.');
    });
}

async function printEdited(flags: CommonOptions, edited: Edited): Promise<void> {
  const { describeEdited } = await import('../features/edit/apply-edits.ts');
  await printDone(flags, writtenRecord(edited), () => describeEdited(edited, outPalette));
}

function defineSet(program: Command): void {
  const defined = addRegistryCommand(program, 'set', 'Set fields of many nodes at once, or of other resources.', [
    `set "label.gpu = 'A100'" bios.version=2.19.1 --dry-run`,
    'set \'lyra-c[01-20]\' placement.rack=4 -m "Move to rack 4"',
    'set lyra-c01 main_memory.ram_size=512GiB storage_devices.1.serial=',
    'set sites/lyra web=https://lyra.example.org',
  ]);
  addWritingOptions(
    defined
      .argument('<nodes>', 'a query in CQL2 text, or the path, uid or name of a resource')
      .argument('<words...>', 'more names, and then the values: FIELD=VALUE. An empty value removes the field'),
  ).action(async (first: string, others: string[], flags: EditFlags) => {
    const { setFields } = await import('../features/edit/set-fields.ts');
    await printEdited(flags, setFields({ ...flags, words: [first, ...others] }));
  });
}

function defineEdit(program: Command): void {
  const defined = addRegistryCommand(
    program,
    'edit',
    'Open the file of a resource in $EDITOR, and check it afterwards.',
    ['edit lyra-c01', 'edit sites/lyra -m "Correct the coordinates"'],
  );
  addRecordingOptions(defined.argument('<resource>', 'a path, or the uid or name of a node')).action(
    async (given: string, flags: Omit<EditFlags, 'dryRun'>) => {
      const { editFile } = await import('../features/edit/open-file.ts');
      await printEdited(flags, editFile({ ...flags, given }));
    },
  );
}

function definePath(program: Command): void {
  addRegistryCommand(program, 'path', 'Print the files of nodes or other resources.', [
    'path lyra-c01',
    `path "label.gpu = 'A100'"`,
  ])
    .argument(NODES.syntax, NODES.description)
    .action(async (words: string[], flags: CommonOptions) => {
      const { filesNamed } = await import('../features/edit/open-file.ts');
      const files = filesNamed({ ...flags, words });
      await printResult(flags, { files }, () => files.map((file) => `${file}\n`).join(''));
    });
}

function defineAddNode(add: Command): void {
  const defined = addRegistryCommand(add, 'node', 'Add nodes, each with a new UUID.', [
    "add node --site lyra --names 'lyra-c{11..20}' --like lyra-c01",
    'add node --site lyra --from nodes.csv -m "Add rack 4"',
    'add node --from serials.csv --update',
  ]);
  addWritingOptions(
    defined
      .option('--site <uid>', 'the site (default: the only one with a cluster)', parseNonEmpty)
      .option('--cluster <uid>', 'the cluster, if the site has several', parseNonEmpty)
      .option('--like <node>', 'copy this node, except its names, serials, addresses and placement', parseNonEmpty)
      .option('--names <patterns...>', "names, such as 'c-{01..20}' or 'c-[01-20]'")
      .option('-n, --count <number>', 'check that --names gives this many nodes', parsePositive)
      .addOption(
        new Option('--from <file>', 'CSV file: one row per node, columns such as node_name and chassis.serial')
          .argParser(parseNonEmpty)
          .conflicts(['names', 'count']),
      )
      .option('--update', 'change the nodes that exist, found by uid, node_name or chassis.serial (with --from)'),
  ).action(async (flags: NodeFlags) => {
    const { addNodes } = await import('../features/edit/add-nodes.ts');
    await printEdited(flags, addNodes(flags));
  });
}

function defineAddSite(add: Command): void {
  const defined = addRegistryCommand(add, 'site', 'Add a site, with a cluster if its class is baremetal.', [
    'add site lyra',
    'add site volans --class kvm',
    'add site aquila --cluster rack1',
  ]);
  addWritingOptions(
    defined
      .argument('<uid>', 'the uid of the site')
      .option('--class <name>', 'its site_class; a baremetal site has a cluster', parseNonEmpty, 'baremetal')
      .option('--cluster <uid>', 'the uid of its cluster (default: cluster_uid in gridpress.yaml)', parseNonEmpty),
  ).action(async (uid: string, { class: siteClass, ...flags }: SiteFlags) => {
    const { addSite } = await import('../features/edit/add.ts');
    await printEdited(flags, addSite({ ...flags, uid, siteClass }));
  });
}

function defineAddCluster(add: Command): void {
  const defined = addRegistryCommand(add, 'cluster', 'Add a cluster to a site that may have several.', [
    'add cluster rack2 --site aquila',
  ]);
  addWritingOptions(
    defined
      .argument('<uid>', 'the uid of the cluster')
      .requiredOption('--site <uid>', 'the site of the cluster', parseNonEmpty),
  ).action(async (uid: string, flags: EditFlags & { site: string }) => {
    const { addCluster } = await import('../features/edit/add.ts');
    await printEdited(flags, addCluster({ ...flags, uid }));
  });
}

function defineAddFlavor(add: Command): void {
  const defined = addRegistryCommand(add, 'flavor', 'Add a flavor, a size of virtual machines.', [
    'add flavor m1.huge --site volans --like m1.large',
  ]);
  addWritingOptions(
    defined
      .argument('<uid>', 'the uid of the flavor')
      .requiredOption('--site <uid>', 'the site that offers it', parseNonEmpty)
      .option('--like <flavor>', 'a flavor to copy', parseNonEmpty),
  ).action(async (uid: string, flags: EditFlags & { site: string; like?: string }) => {
    const { addFlavor } = await import('../features/edit/add.ts');
    await printEdited(flags, addFlavor({ ...flags, uid }));
  });
}

function defineRetire(program: Command): void {
  const defined = addRegistryCommand(
    program,
    'retire',
    'Remove nodes or other resources, with everything below them.',
    [
      "retire 'lyra-c[01-20]' --dry-run",
      'retire sites/aquila',
      'retire lyra-g02 --successor lyra-g03 -m "Replace lyra-g02"',
    ],
  );
  addWritingOptions(
    defined
      .argument(NODES.syntax, NODES.description)
      .option('--successor <resource>', 'the resource of the same collection that takes its place', parseNonEmpty),
  ).action(async (words: string[], flags: EditFlags & { successor?: string }) => {
    const { retire, describeRetired } = await import('../features/edit/retire.ts');
    const retired = retire({ ...flags, words });
    await printDone(flags, writtenRecord(retired), () => describeRetired(retired));
  });
}

function defineRename(program: Command): void {
  const defined = addRegistryCommand(program, 'rename', 'Change the uid of a site, a cluster or another resource.', [
    'rename sites/lyra lyra-2',
    'rename sites/lyra/clusters/main rack1 -m "Name the clusters after racks"',
  ]);
  addWritingOptions(defined.argument('<resource>', 'a path or a uid').argument('<uid>', 'its new uid')).action(
    async (given: string, newUid: string, flags: EditFlags) => {
      const { rename, describeRenamed } = await import('../features/edit/rename.ts');
      const renamed = rename({ ...flags, given, newUid });
      await printDone(flags, writtenRecord(renamed), () => describeRenamed(renamed));
    },
  );
}
