/** What a probe found on the emulators of vendors, as docs/hosts.md shows it. */
import { CAPABILITIES, type Capability, type Shortcoming } from './host.ts';
import { explains, type Probed } from './probe/probe.ts';

/** Something that an emulator does otherwise than its vendor says that the service does. */
export interface EmulatorDifference {
  readonly capability: Capability;
  readonly why: string;
  /** As of shortcomings. Without it nothing that the emulator shows of the capability says anything about the service. */
  readonly covers?: RegExp;
}

export interface Emulation {
  /** The name of the host. */
  readonly host: string;
  readonly emulator: string;
  /** In words, by capability. */
  readonly outcomes: Readonly<Record<string, string>>;
  readonly differences: readonly Pick<EmulatorDifference, 'capability' | 'why'>[];
}

/** What the host's statement leaves open when it runs on its emulator. */
export function shortcomingOf({ capability, why, covers }: EmulatorDifference): Shortcoming {
  return { capability, extent: 'partly', why, covers: covers ?? /^/ };
}

/** The outcome in a word; with an asterisk where the emulator differs from the service, and by that alone. */
export function outcomeWord(
  { capability, outcome, failing }: Probed,
  shortcomings: readonly Shortcoming[],
  differences: readonly EmulatorDifference[],
): string {
  const own = differences.filter((difference) => difference.capability === capability);
  if (outcome === 'wrong') return 'WRONG';
  if (outcome === 'not-applicable') return '-';
  if (own.some(({ covers }) => covers === undefined)) return 'emulator';
  const rest = failing.filter((each) => !own.some((one) => explains(shortcomingOf(one), each)));
  const mark = rest.length < failing.length ? ' \\*' : '';
  const known = shortcomings.find((shortcoming) => shortcoming.capability === capability);
  if (rest.length === 0) return `holds${mark}`;
  return `${known?.extent === 'none' ? 'cannot' : 'partly'}${mark}`;
}

/** The section of docs/hosts.md. */
export function emulationSection(date: string, emulations: readonly Emulation[]): string {
  const table = [
    ['', ...emulations.map(({ host }) => host)],
    ['---', ...emulations.map(() => '---')],
    ...Object.keys(CAPABILITIES).map((capability) => [
      `\`${capability}\``,
      ...emulations.map(({ outcomes }) => outcomes[capability] ?? 'not asked'),
    ]),
  ];
  return `
## Emulated

Of ${date}: the sample with one snapshot, probed on the vendors' emulators by \`npm run test:emulators\`. These are not the services.
\`partly\` and \`cannot\` are as stated above. \`emulator\`: what it shows says nothing about the service; \\*: but for what the emulator does
otherwise than the service is documented to do; \`not asked\`: the check is newer. Where the dialects differ, current stands before legacy,
which is below a prefix.

${table.map((row) => `| ${row.join(' | ')} |\n`).join('')}
${emulations.map(differencesOf).join('')}
GitHub Pages and object storage have no emulator of their vendors'.
`;
}

function differencesOf({ host, emulator, differences }: Emulation): string {
  return [
    `- ${host}: ${emulator}\n`,
    ...differences.map(({ capability, why }) => `  - \`${capability}\`: ${why}\n`),
  ].join('');
}
