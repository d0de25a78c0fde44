/**
 * Where each command is defined. A call loads the definition of its own command; one that names none loads all, for help
 * and for guesses at what was meant.
 */
import type { Command } from 'commander';

type Define = (program: Command) => void;

export interface CommandGroup {
  readonly heading: string;
  /** Those that need no other definition than their own: what tells of all commands is not among them. */
  readonly commands: readonly string[];
  readonly define: () => Promise<Define>;
}

const KEEP = 'Keep a registry:';
const ASK = 'Ask it:';
const BUILD = 'Build, look at and check its API:';
const PUBLISH = 'Publish and keep it:';
const HOSTS = 'Know your host:';
const HELP = 'Help:';

export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    heading: KEEP,
    commands: ['init', 'import', 'check', 'schemas'],
    define: async () => (await import('./registry.ts')).defineRegistryCommands,
  },
  { heading: KEEP, commands: ['add', 'retire'], define: async () => (await import('./edit.ts')).defineEditCommands },
  {
    heading: KEEP,
    commands: ['record', 'log', 'diff', 'show'],
    define: async () => (await import('./revisions.ts')).defineHistoryCommands,
  },
  { heading: ASK, commands: ['find'], define: async () => (await import('./find.ts')).defineFindCommand },
  {
    heading: ASK,
    commands: ['lock', 'verify-lock'],
    define: async () => (await import('./lock.ts')).defineLockCommands,
  },
  {
    heading: BUILD,
    commands: ['build', 'serve', 'dev'],
    define: async () => (await import('./build.ts')).defineTreeCommands,
  },
  {
    heading: BUILD,
    commands: ['verify', 'crawl'],
    define: async () => (await import('./verify.ts')).defineVerifyCommands,
  },
  { heading: PUBLISH, commands: ['publish'], define: async () => (await import('./publish.ts')).definePublishCommand },
  {
    heading: PUBLISH,
    commands: ['bundle', 'apply'],
    define: async () => (await import('./bundle.ts')).defineBundleCommands,
  },
  { heading: PUBLISH, commands: ['prune'], define: async () => (await import('./prune.ts')).definePruneCommand },
  { heading: PUBLISH, commands: ['archive'], define: async () => (await import('./archive.ts')).defineArchiveCommand },
  { heading: HOSTS, commands: ['probe', 'hosts'], define: async () => (await import('./hosts.ts')).defineHostCommands },
  { heading: HELP, commands: [], define: async () => (await import('./completion.ts')).defineCompletionCommand },
  { heading: HELP, commands: [], define: async () => (await import('./help.ts')).defineHelpCommand },
];

/** The definitions that a call needs, by its words. Whose first word is an option that takes a word gets all. */
export function groupsFor(words: readonly string[]): readonly CommandGroup[] {
  const own = COMMAND_GROUPS.filter(({ commands }) => commands.includes(words[0] ?? ''));
  return own.length > 0 ? own : COMMAND_GROUPS;
}
