import { type Command, InvalidArgumentError, Option } from 'commander';
import { FIELD_CLASSES, type FieldClass } from '../core/model/field-classes.ts';

export interface CommonOptions {
  readonly registry: string;
  readonly config?: string;
  readonly json?: boolean;
}

export function parsePositive(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return number;
}

/** Returns a parser of whole numbers from 0 to `most`. */
export function parseUpTo(most: number): (text: string) => number {
  return (text) => {
    if (!/^\d+$/.test(text) || Number(text) > most)
      throw new InvalidArgumentError(`It must be a whole number from 0 to ${most}.`);
    return Number(text);
  };
}

/** A name can contain commas in double quotes, as in queries. */
const LISTED_NAME = /(?:"(?:[^"]|"")*"|[^,])+/g;

/** Parses comma-separated names. If the option is repeated, the result contains the names of all occurrences. */
export function parseNames(text: string, others: readonly string[] = []): string[] {
  const names = parseNonEmpty(text).match(LISTED_NAME) ?? [];
  if (names.length === 0) throw new InvalidArgumentError('It must contain a name.');
  return [...others, ...names];
}

/** Rejects an empty value, which usually comes from an unset shell variable. */
export function parseNonEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

export function collectNames(text: string, others: readonly string[] = []): string[] {
  return [...others, parseNonEmpty(text)];
}

export const ALLOW_UNKNOWN = [
  '--allow-unknown',
  'accept fields that neither the schema nor the head has',
  false,
] as const;

export const DRY_RUN = ['--dry-run', 'show the changes, and write nothing', false] as const;

export const TIMEOUT = ['--timeout <seconds>', 'time limit of an answer', parsePositive, 30] as const;

export const ALLOWED_SIGNERS = [
  '--allowed-signers <file>',
  'require a signature by one of these signers (format of ssh-keygen)',
  parseNonEmpty,
] as const;

export const MIN_SERIAL = ['--min-serial <number>', 'reject trees with a lower serial', parsePositive] as const;

export const CLASS_NAMES = FIELD_CLASSES.join(', ');

/** Parses comma-separated classes. If the option is repeated, the result contains the classes of all occurrences. */
export function parseClasses(text: string, previous: readonly FieldClass[] = []): FieldClass[] {
  const classes = parseNonEmpty(text)
    .split(',')
    .map((name) => {
      const known = FIELD_CLASSES.find((each) => each === name);
      if (known === undefined) throw new InvalidArgumentError(`The classes are ${CLASS_NAMES}.`);
      return known;
    });
  return [...previous, ...classes];
}

type Extent = 'auto' | 'all' | 'none';

function isExtent(text: string): text is Extent {
  return text === 'auto' || text === 'all' || text === 'none';
}

function parseVersionLinks(text: string): Extent | number {
  return isExtent(text) ? text : parsePositive(text);
}

function parseSnapshots(text: string): Extent | string[] {
  return isExtent(text) ? text : parseNames(text);
}

export const DROP_HOST = 'allow a tree without the configuration of a host that the folder contains';

export function addCommand(program: Command, name: string, description: string, examples: readonly string[]): Command {
  const defined = addCommandWithoutJson(program, name, description, examples);
  return defined.option('--json', 'print the result as one JSON object');
}

export function addCommandWithoutJson(
  program: Command,
  name: string,
  description: string,
  examples: readonly string[],
): Command {
  const path = program.parent ? `${program.name()} ${name}` : name;
  const defined = program.command(name).description(description).showHelpAfterError(`(See gridpress ${path} --help)`);
  return addExamples(defined, examples);
}

export function addExamples(defined: Command, examples: readonly string[]): Command {
  const lines = examples.map((example) => `  $ gridpress ${example}`);
  return defined.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

export function addRegistryCommand(
  program: Command,
  name: string,
  description: string,
  examples: readonly string[],
): Command {
  return addCommand(program, name, description, examples)
    .option('--registry <folder>', 'the registry', 'registry-data')
    .option('--config <file>', 'the configuration (default: gridpress.yaml next to the registry)')
    .option('--no-cache', 'replay the whole history, without the cache of earlier commands');
}

export interface PlaceFlags {
  readonly from?: string;
  readonly timeout: number;
  readonly requests: number;
}

export function addPlaceOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--from <place>', 'a base URL, or the folder of a tree or a registry (default: --registry)')
        .argParser(parseNonEmpty)
        .conflicts('registry'),
    )
    .option('--timeout <seconds>', 'time limit of an answer (with --from URL)', parsePositive, 30)
    .option('--requests <number>', 'maximum number of requests (with --from URL)', parsePositive, 10_000);
}

export function reachOf({ from: place = '', timeout, requests }: PlaceFlags) {
  return { place, timeout, maxRequests: requests };
}

export function addTreeCommand(
  program: Command,
  name: string,
  description: string,
  examples: readonly string[],
): Command {
  const command = addRegistryCommand(program, name, description, examples);
  return addTreeOptions(command.option('--out <folder>', 'the folder of the tree', parseNonEmpty, 'dist'));
}

export function addTreeOptions(command: Command): Command {
  return command
    .addOption(new Option('--dialect <name>', 'the form of the responses').choices(['current', 'legacy']))
    .option('--snapshots <which>', 'auto, all, none, or revisions (comma-separated)', parseSnapshots)
    .option(
      '--version-links <which>',
      'how long version links work: auto, all, none, or a number of days',
      parseVersionLinks,
    )
    .option('--since <date>', 'history start of the tree, or all', parseNonEmpty);
}
