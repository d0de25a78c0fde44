import type { Command } from 'commander';
import type { Added } from '../features/edit/add.ts';
import { type CommonOptions, nonEmpty, onSources, positive, withExamples } from './options.ts';
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
  const add = withExamples(
    program.command('add').description('Adds nodes, sites, clusters or flavors to the registry.'),
    ['add site lyra', "add node --site lyra --names 'lyra-c{01..20}'"],
  );
  defineAddNode(add);
  defineAddSite(add);
  defineAddCluster(add);
  defineAddFlavor(add);
  defineRetire(program);
}

function recording(defined: Command): Command {
  return defined
    .option('--dry-run', 'say what would be done, and write nothing', false)
    .option('-m, --message <text>', 'record all that is not recorded yet, as this', nonEmpty)
    .option('--author <name>', '--message: who did it', nonEmpty);
}

async function printAdded(flags: EditFlags, added: Added): Promise<void> {
  const { describeAdded } = await import('../features/edit/add.ts');
  await printDone(flags, writtenRecord(added), () => describeAdded(added));
}

function defineAddNode(add: Command): void {
  const defined = onSources(add, 'node', 'Adds nodes, each with a UUID of its own.', [
    "add node --site lyra --names 'lyra-c{11..20}' --like lyra-c01",
    'add node --site lyra --from nodes.csv -m "Add rack 4"',
  ]);
  recording(
    defined
      .option('--site <uid>', 'the site (default: the only one with a cluster)', nonEmpty)
      .option('--cluster <uid>', 'the cluster, where the site has several', nonEmpty)
      .option('--like <node>', 'a node to copy but for its names, serials, addresses and place', nonEmpty)
      .option('--names <patterns...>', "names, such as 'c-{01..20}'")
      .option('-n, --count <number>', 'how many there must be', positive)
      .option('--from <file>', 'CSV: a row a node, with columns such as node_name and chassis.serial', nonEmpty),
  ).action(async (flags: NodeFlags) => {
    const { addNodes } = await import('../features/edit/add-nodes.ts');
    await printAdded(flags, addNodes(flags));
  });
}

function defineAddSite(add: Command): void {
  const defined = onSources(add, 'site', 'Adds a site, and its cluster where it is of bare metal.', [
    'add site lyra',
    'add site volans --class kvm',
    'add site aquila --cluster rack1',
  ]);
  recording(
    defined
      .argument('<uid>', 'the uid of the site')
      .option('--class <name>', 'its site_class; baremetal has a cluster', nonEmpty, 'baremetal')
      .option('--cluster <uid>', 'its cluster (default: the cluster_uid of gridpress.yaml)', nonEmpty),
  ).action(async (uid: string, { class: siteClass, ...flags }: SiteFlags) => {
    const { addSite } = await import('../features/edit/add.ts');
    await printAdded(flags, addSite({ ...flags, uid, siteClass }));
  });
}

function defineAddCluster(add: Command): void {
  const defined = onSources(add, 'cluster', 'Adds a cluster to a site that may have several.', [
    'add cluster rack2 --site aquila',
  ]);
  recording(
    defined
      .argument('<uid>', 'the uid of the cluster')
      .requiredOption('--site <uid>', 'the site that it belongs to', nonEmpty),
  ).action(async (uid: string, flags: EditFlags & { site: string }) => {
    const { addCluster } = await import('../features/edit/add.ts');
    await printAdded(flags, addCluster({ ...flags, uid }));
  });
}

function defineAddFlavor(add: Command): void {
  const defined = onSources(add, 'flavor', 'Adds a flavor, a size of virtual machine.', [
    'add flavor m1.huge --site volans --like m1.large',
  ]);
  recording(
    defined
      .argument('<uid>', 'the uid of the flavor')
      .requiredOption('--site <uid>', 'the site that offers it', nonEmpty)
      .option('--like <flavor>', 'a flavor to copy', nonEmpty),
  ).action(async (uid: string, flags: EditFlags & { site: string; like?: string }) => {
    const { addFlavor } = await import('../features/edit/add.ts');
    await printAdded(flags, addFlavor({ ...flags, uid }));
  });
}

function defineRetire(program: Command): void {
  const defined = onSources(program, 'retire', 'Removes a node or a flavor from the registry.', [
    'retire lyra-g02',
    'retire lyra-g02 --successor lyra-g03 -m "Replace lyra-g02"',
  ]);
  recording(
    defined
      .argument('<resource>', 'a path, or the uid or name of a node')
      .option('--successor <resource>', 'what takes its place, beside it', nonEmpty),
  ).action(async (given: string, flags: EditFlags & { successor?: string }) => {
    const { retire, describeRetired } = await import('../features/edit/retire.ts');
    const retired = retire({ ...flags, given });
    await printDone(flags, writtenRecord(retired), () => describeRetired(retired));
  });
}
