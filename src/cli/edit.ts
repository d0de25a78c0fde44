import type { Command } from 'commander';
import type { Added } from '../features/edit/add.ts';
import { addExamples, addRegistryCommand, type CommonOptions, parseNonEmpty, parsePositive } from './options.ts';
import { printDone, writtenRecord } from './results.ts';

interface EditFlags extends CommonOptions {
  readonly dryRun: boolean;
  readonly message?: string;
  readonly author?: string;
}

interface NodeFlags extends EditFlags {
  readonly site?: string;
  readonly cluster?: string;
  readonly like?: string;
  readonly names?: string[];
  readonly count?: number;
  readonly from?: string;
}

interface SiteFlags extends EditFlags {
  readonly class: string;
  readonly cluster?: string;
}

export function defineEditCommands(program: Command): void {
  const add = addExamples(
    program.command('add').description('Add nodes, sites, clusters or flavors to the registry.'),
    ['add site lyra', "add node --site lyra --names 'lyra-c{01..20}'"],
  );
  defineAddNode(add);
  defineAddSite(add);
  defineAddCluster(add);
  defineAddFlavor(add);
  defineRetire(program);
}

function addRecordingOptions(defined: Command): Command {
  return defined
    .option('--dry-run', 'show the changes, and write nothing', false)
    .option('-m, --message <text>', 'record all unrecorded changes with this message', parseNonEmpty)
    .option('--author <name>', 'author of the revision (with --message)', parseNonEmpty);
}

async function printAdded(flags: EditFlags, added: Added): Promise<void> {
  const { describeAdded } = await import('../features/edit/add.ts');
  await printDone(flags, writtenRecord(added), () => describeAdded(added));
}

function defineAddNode(add: Command): void {
  const defined = addRegistryCommand(add, 'node', 'Add nodes, each with a new UUID.', [
    "add node --site lyra --names 'lyra-c{11..20}' --like lyra-c01",
    'add node --site lyra --from nodes.csv -m "Add rack 4"',
  ]);
  addRecordingOptions(
    defined
      .option('--site <uid>', 'the site (default: the only one with a cluster)', parseNonEmpty)
      .option('--cluster <uid>', 'the cluster, if the site has several', parseNonEmpty)
      .option('--like <node>', 'copy this node, except its names, serials, addresses and placement', parseNonEmpty)
      .option('--names <patterns...>', "names, such as 'c-{01..20}'")
      .option('-n, --count <number>', 'check that there are this many nodes', parsePositive)
      .option(
        '--from <file>',
        'CSV file: one row per node, columns such as node_name and chassis.serial',
        parseNonEmpty,
      ),
  ).action(async (flags: NodeFlags) => {
    const { addNodes } = await import('../features/edit/add-nodes.ts');
    await printAdded(flags, addNodes(flags));
  });
}

function defineAddSite(add: Command): void {
  const defined = addRegistryCommand(add, 'site', 'Add a site, with a cluster if its class is baremetal.', [
    'add site lyra',
    'add site volans --class kvm',
    'add site aquila --cluster rack1',
  ]);
  addRecordingOptions(
    defined
      .argument('<uid>', 'the uid of the site')
      .option('--class <name>', 'its site_class; a baremetal site has a cluster', parseNonEmpty, 'baremetal')
      .option('--cluster <uid>', 'the uid of its cluster (default: cluster_uid in gridpress.yaml)', parseNonEmpty),
  ).action(async (uid: string, { class: siteClass, ...flags }: SiteFlags) => {
    const { addSite } = await import('../features/edit/add.ts');
    await printAdded(flags, addSite({ ...flags, uid, siteClass }));
  });
}

function defineAddCluster(add: Command): void {
  const defined = addRegistryCommand(add, 'cluster', 'Add a cluster to a site that may have several.', [
    'add cluster rack2 --site aquila',
  ]);
  addRecordingOptions(
    defined
      .argument('<uid>', 'the uid of the cluster')
      .requiredOption('--site <uid>', 'the site of the cluster', parseNonEmpty),
  ).action(async (uid: string, flags: EditFlags & { site: string }) => {
    const { addCluster } = await import('../features/edit/add.ts');
    await printAdded(flags, addCluster({ ...flags, uid }));
  });
}

function defineAddFlavor(add: Command): void {
  const defined = addRegistryCommand(add, 'flavor', 'Add a flavor, a size of virtual machines.', [
    'add flavor m1.huge --site volans --like m1.large',
  ]);
  addRecordingOptions(
    defined
      .argument('<uid>', 'the uid of the flavor')
      .requiredOption('--site <uid>', 'the site that offers it', parseNonEmpty)
      .option('--like <flavor>', 'a flavor to copy', parseNonEmpty),
  ).action(async (uid: string, flags: EditFlags & { site: string; like?: string }) => {
    const { addFlavor } = await import('../features/edit/add.ts');
    await printAdded(flags, addFlavor({ ...flags, uid }));
  });
}

function defineRetire(program: Command): void {
  const defined = addRegistryCommand(program, 'retire', 'Remove a node or a flavor from the registry.', [
    'retire lyra-g02',
    'retire lyra-g02 --successor lyra-g03 -m "Replace lyra-g02"',
  ]);
  addRecordingOptions(
    defined
      .argument('<resource>', 'a path, or the uid or name of a node')
      .option('--successor <resource>', 'the resource of the same collection that takes its place', parseNonEmpty),
  ).action(async (given: string, flags: EditFlags & { successor?: string }) => {
    const { retire, describeRetired } = await import('../features/edit/retire.ts');
    const retired = retire({ ...flags, given });
    await printDone(flags, writtenRecord(retired), () => describeRetired(retired));
  });
}
