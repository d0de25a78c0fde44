import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Finding, finding } from '../core/diagnostics/finding.ts';
import { RESERVING, SNIPPET_NAMES, type SnippetName, SPREADS, type Spread } from '../core/exports/snippet-context.ts';
import { TABLE_FORMS, type TableForm } from '../core/exports/text-table.ts';
import { isoTimestamp } from '../core/model/revision.ts';
import type { FindOptions } from '../features/find/find.ts';
import type { FoundForm, PresentedNodes } from '../features/find/present-found.ts';
import { printError, printJson, printLines } from '../system/terminal/terminal.ts';
import { addCommand, collectNames, parseNames, parseNonEmpty, parsePositive, TIMEOUT } from './options.ts';
import { printResult } from './results.ts';

interface FindFlags {
  readonly from: string;
  readonly registry?: string;
  readonly at?: string;
  readonly config?: string;
  readonly sort?: string;
  readonly limit?: number;
  readonly columns?: string[];
  readonly json?: boolean;
  readonly ndjson?: boolean;
  readonly csv?: boolean;
  readonly uids?: boolean;
  readonly markdown?: boolean;
  readonly latex?: boolean;
  readonly html?: boolean;
  readonly groupBy?: string[];
  readonly snippet?: SnippetName;
  readonly reserve?: number | 'all';
  readonly spread?: Spread;
  readonly sameHardware?: boolean;
  readonly exclude?: string[];
  readonly start?: number;
  readonly duration?: number;
  readonly lock?: string;
  readonly fields?: boolean;
  readonly under?: string;
  readonly search?: string;
  readonly values?: number;
  readonly cql2Json?: boolean;
  readonly timeout: number;
  readonly requests: number;
}

const EXAMPLES = [
  `find "gpu.gpu_model LIKE '%A100%' AND main_memory.ram_size >= 256GiB AND site IN ('lyra', 'vega')"`,
  `find "label.gpu = 'A100' AND NOT label.network < 25Gbps" --csv --columns node_name,site,label.ram`,
  `find "node_type = 'compute' AND storage_devices.media_type = 'SSD'" --sort -main_memory.ram_size --limit 10`,
  `find "bios.version IS NULL" --from https://api.testbed.example.org/ --at 2026-01-31 --uids`,
  `find "label.gpu = 'A100'" --group-by site,node_type --latex`,
  `find "label.gpu = 'A100'" --reserve 2 --same-hardware --spread rack --snippet openstack`,
  `find "processor.clock_speed BETWEEN 2GHz AND 2.6GHz" --lock experiment.lock.json --snippet python-chi`,
];

export function defineFindCommand(program: Command): void {
  addCommand(program, 'find', 'Find the nodes that match a query.', EXAMPLES)
    .argument('[query]', 'a condition in CQL2 text or CQL2-JSON, or the name of a node (default: all nodes)')
    // The action rejects excess arguments with a better message than commander.
    .allowExcessArguments()
    .option('--from <place>', 'a base URL, or the folder of a tree or a registry', parseNonEmpty, 'registry-data')
    // The action rejects --registry and suggests --from.
    .addOption(new Option('--registry <folder>').hideHelp())
    .option('--at <moment>', 'find nodes as of this revision or date', parseNonEmpty)
    .option('--columns <fields>', 'the fields to show (comma-separated)', parseNames)
    // The tool of mcp needs the default columns as JSON.
    .addOption(new Option('--usual-columns').hideHelp())
    .option(
      '--sort <field>',
      'sort by this field, descending with a leading hyphen; --reserve takes the first nodes',
      parseNonEmpty,
    )
    .option('--limit <number>', 'show at most this many nodes, or fields with --fields', parsePositive)
    .addOption(new Option('--ndjson', 'print one JSON object per line').conflicts(['json']))
    .addOption(new Option('--csv', 'print CSV for spreadsheets').conflicts(['json', 'ndjson']))
    .addOption(new Option('--uids', 'print one uid per line').conflicts(['json', 'ndjson', 'csv', 'columns']))
    .addOption(documentOption('markdown', 'print a Markdown table, with the hardware of the nodes'))
    .addOption(documentOption('latex', 'print a LaTeX table, for a paper'))
    .addOption(documentOption('html', 'print an HTML table'))
    .addOption(
      new Option('--group-by <fields>', 'count the nodes in groups, such as site,node_type (comma-separated)')
        .argParser(parseNames)
        .conflicts(['ndjson', 'csv', 'uids', 'snippet', 'fields']),
    )
    .addOption(
      new Option('--snippet <name>', 'print code that reserves or fetches the nodes')
        .choices(SNIPPET_NAMES)
        .conflicts(['json', 'ndjson', 'csv', 'uids', 'columns']),
    )
    .addOption(
      new Option('--reserve <number>', 'choose this many nodes, or "all", and print how to reserve them')
        .argParser(parseReserve)
        .conflicts(['fields']),
    )
    .addOption(new Option('--spread <place>', 'with --reserve, take nodes in turn from each place').choices(SPREADS))
    .option('--same-hardware', 'with --reserve, take nodes that have the same hardware')
    .option(
      '--exclude <file>',
      'with --reserve, leave out the hosts in a file (one per line, - for stdin)',
      collectNames,
    )
    .addOption(
      new Option('--start <time>', 'with --snippet, the start of the reservation, such as 2026-12-01T08:00Z')
        .argParser(parseStart)
        .conflicts(['fields']),
    )
    .addOption(
      new Option('--duration <time>', 'with --snippet, the duration of the reservation, such as 90m, 4h or 2d')
        .argParser(parseDuration)
        .conflicts(['fields']),
    )
    .addOption(
      new Option('--fields', 'list the fields of the nodes, with their values').conflicts([
        ...['ndjson', 'csv', 'uids', 'snippet', 'columns', 'sort', 'lock'],
      ]),
    )
    .option('--under <field>', 'with --fields, list only this field and the fields below it', parseNonEmpty)
    .option(
      '--search <text>',
      'with --fields, list only fields whose name or description contains a text',
      parseNonEmpty,
    )
    .option('--values <number>', 'with --fields and --json, list at most this many values of each field', parsePositive)
    .addOption(
      new Option('--cql2-json', 'print the query as CQL2-JSON, and find nothing').conflicts([
        ...['ndjson', 'csv', 'uids', 'snippet', 'columns', 'sort', 'limit', 'lock', 'reserve', 'fields'],
        ...['at', 'groupBy', ...TABLE_FORMS],
      ]),
    )
    .option('--lock <file>', 'write a lock file of the nodes that are shown', parseNonEmpty)
    .option('--config <file>', 'the configuration of a registry (default: gridpress.yaml next to it)')
    .option(...TIMEOUT)
    .option('--requests <number>', 'maximum number of requests', parsePositive, 10_000)
    .action(async (query: string | undefined, flags: FindFlags, command: Command) => {
      rejectContradictions(command, flags);
      const isJson = query?.trimStart().startsWith('{') === true;
      const text = isJson ? (await import('../core/query/cql2-json.ts')).textOfCql2Json(query) : query;
      if (flags.cql2Json === true) {
        if (text === undefined) command.error('error: --cql2-json needs a query.');
        await printCql2Json(text);
        return;
      }
      const { limit: maxNodes, requests: maxRequests, ...options } = flags;
      const asked = { ...options, query: text, maxNodes, maxRequests };
      const found = await presented(asked, flags);
      printLines(flags.json === true ? [] : found.lines);
      await printResult(flags, found.record, () => '', [...found.findings, ...startFindings(flags)]);
      if (flags.json !== true) printError(found.note);
    });
}

/** Rejects options that contradict each other, or that have no effect without another option. */
function rejectContradictions(command: Command, flags: FindFlags): void {
  const { args } = command;
  if (args.length > 1) command.error(`error: Quote the query: gridpress find "${args.join(' ')}"`);
  const choices = { '--spread': flags.spread, '--same-hardware': flags.sameHardware, '--exclude': flags.exclude };
  const [choice] = Object.entries(choices).find(([, value]) => value !== undefined) ?? [];
  if (choice !== undefined && flags.reserve === undefined) {
    command.error(`error: ${choice} needs --reserve. To choose all nodes that match, write --reserve all.`);
  }
  const ofFields = { '--under': flags.under, '--search': flags.search, '--values': flags.values };
  const [ofField] = Object.entries(ofFields).find(([, value]) => value !== undefined) ?? [];
  if (ofField !== undefined && flags.fields !== true) command.error(`error: ${ofField} needs --fields.`);
  if (flags.values !== undefined && flags.json !== true) command.error('error: --values needs --json.');
  const isTimed = flags.start !== undefined || flags.duration !== undefined;
  if (isTimed && !RESERVING.some((name) => name === flags.snippet)) {
    command.error(`error: --start and --duration need --snippet with one of ${RESERVING.join(', ')}.`);
  }
  if (flags.reserve !== undefined && flags.limit !== undefined) {
    command.error('error: --reserve sets the number of nodes, so it cannot be used with --limit.');
  }
  if (flags.groupBy !== undefined && flags.limit !== undefined) {
    command.error('error: --group-by counts all nodes that match, so it cannot be used with --limit.');
  }
  if (flags.groupBy !== undefined && flags.columns !== undefined && flags.json === true) {
    command.error(
      'error: --group-by with --json prints only the groups and their counts, so it cannot be used with --columns.',
    );
  }
  if (flags.registry !== undefined) {
    command.error(`error: find has no option --registry. Write --from ${flags.registry} instead.`);
  }
}

function parseReserve(text: string): number | 'all' {
  const number = Number(text);
  if (text === 'all') return text;
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError('It must be "all", or a whole number of at least 1.');
  return number;
}

/** Schedulers have a resolution of one minute, so the current minute is not in the past. */
function startFindings({ start }: FindFlags): Finding[] {
  if (start === undefined || start > Date.now() / 1000 - 60) return [];
  return [finding('reserve-past', { start: isoTimestamp(start) })];
}

/** Returns epoch seconds. The text must contain a UTC offset, because schedulers use different time zones. */
function parseStart(text: string): number {
  const isTime = /^\d{4}-\d{2}-\d{2}T(?!24)\d{2}:\d{2}(?::00)?(?:Z|[+-]\d{2}:\d{2})$/.test(text);
  const seconds = isTime ? Date.parse(text) / 1000 : Number.NaN;
  const isDay = Number.isFinite(seconds) && new Date(text.slice(0, 10)).toISOString().startsWith(text.slice(0, 10));
  if (!isDay) {
    throw new InvalidArgumentError('It must be a time in minutes with an offset, such as 2026-12-01T08:00Z.');
  }
  return seconds;
}

const UNIT_MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 24 * 60 };

/** Returns a duration in minutes. */
function parseDuration(text: string): number {
  const [, number, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  if (number === undefined)
    throw new InvalidArgumentError('It must be a number with m, h or d, such as 90m, 4h or 2d.');
  return Number(number) * (UNIT_MINUTES[unit] ?? 1);
}

async function printCql2Json(text: string): Promise<void> {
  const { cql2JsonOf } = await import('../core/query/cql2-json.ts');
  const { parseQuery } = await import('../core/query/parse.ts');
  printJson(cql2JsonOf(parseQuery(text)));
}

function documentOption(form: TableForm, description: string): Option {
  const others = ['json', 'ndjson', 'csv', 'uids', 'snippet', 'fields', ...TABLE_FORMS];
  return new Option(`--${form}`, description).conflicts(others.filter((other) => other !== form));
}

async function presented(given: FindOptions, flags: FindFlags): Promise<PresentedNodes> {
  if (flags.fields === true) {
    const { presentFields } = await import('../features/find/found-fields.ts');
    const { under, search, values: maxValues } = flags;
    return await presentFields({ ...given, maxNodes: undefined, maxFields: given.maxNodes, maxValues, under, search });
  }
  const { presentFound } = await import('../features/find/present-found.ts');
  const options = { ...given, form: formOf(flags), schedule: { start: flags.start, minutes: flags.duration } };
  const { reserve, spread, sameHardware, exclude, sort } = flags;
  if (reserve === undefined) return await presentFound(options);
  const { reservationChoice } = await import('../features/find/reserve.ts');
  const choice = reservationChoice({ reserve, spread, sameHardware, exclude, keepsOrder: sort !== undefined });
  return await presentFound({ ...options, choice });
}

function formOf(flags: FindFlags): FoundForm {
  const { json, ndjson, csv, uids, snippet } = flags;
  if (json === true) return 'json';
  if (ndjson === true) return 'ndjson';
  if (csv === true) return 'csv';
  const table = TABLE_FORMS.find((form) => flags[form] === true);
  return uids === true ? 'uids' : (table ?? snippet ?? 'table');
}
