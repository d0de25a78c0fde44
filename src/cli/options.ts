/** What the definitions of all commands share: their common options, and how options are read. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { FIELD_CLASSES, type FieldClass } from '../core/model/field-classes.ts';

export interface CommonOptions {
  readonly registry: string;
  readonly config?: string;
  readonly json?: boolean;
}

export function positive(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('It must be a whole number from 1 on.');
  return number;
}

export function port(text: string): number {
  const number = Number(text);
  if (text === '' || !Number.isInteger(number) || number < 0 || number > 65_535) {
    throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
  }
  return number;
}

/** Names with commas between them; an option that is given again adds to them. */
export function nameList(text: string, others: readonly string[] = []): string[] {
  return [...others, ...nonEmpty(text).split(',').filter(Boolean)];
}

/** A text that is not empty: an empty one comes from a variable that is not set. */
export function nonEmpty(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

export function severalNames(text: string, others: readonly string[] = []): string[] {
  return [...others, nonEmpty(text)];
}

export const CLASS_NAMES = FIELD_CLASSES.join(', ');

export function classList(text: string): FieldClass[] {
  return nonEmpty(text)
    .split(',')
    .map((name) => {
      const known = FIELD_CLASSES.find((each) => each === name);
      if (known === undefined) throw new InvalidArgumentError(`The classes are ${CLASS_NAMES}.`);
      return known;
    });
}

/** Which revisions' links go on answering: all, none, or those of so many days. */
export function versionLinksChoice(text: string): 'all' | 'none' | number {
  return text === 'all' || text === 'none' ? text : positive(text);
}

export function snapshotChoice(text: string): 'all' | 'none' | string[] {
  return text === 'all' || text === 'none' ? text : nameList(text);
}

export function command(program: Command, name: string, description: string, examples: readonly string[]): Command {
  return withExamples(
    program.command(name).description(description).option('--json', 'print the result as one JSON object'),
    examples,
  );
}

export function withExamples(defined: Command, examples: readonly string[]): Command {
  const lines = examples.map((example) => `  $ gridpress ${example}`);
  return defined.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

export function onSources(program: Command, name: string, description: string, examples: readonly string[]): Command {
  return command(program, name, description, examples)
    .option('--registry <folder>', 'the registry', 'registry-data')
    .option('--config <file>', 'the configuration (default: gridpress.yaml beside the registry)')
    .option('--no-cache', 'replay the history, whatever earlier commands know of it');
}

export function onTree(program: Command, name: string, description: string, examples: readonly string[]): Command {
  const command = onSources(program, name, description, examples);
  return choosingTree(command.option('--out <folder>', 'where the tree goes', nonEmpty, 'dist'));
}

export function choosingTree(command: Command): Command {
  return command
    .addOption(new Option('--dialect <name>', 'the representation of responses').choices(['current', 'legacy']))
    .option('--snapshots <which>', 'all, none, or revisions with commas between them', snapshotChoice)
    .option(
      '--version-links <which>',
      'all, none, or a number of days: how long version links go on answering',
      versionLinksChoice,
    )
    .option('--since <date>', 'from when on the history is in the tree, or all', nonEmpty);
}
