/** What each host can do, as a table: the capabilities by host, from the hosts' own statements. */

import { certain, itemAt } from '../platform/certain.ts';
import { CAPABILITIES, CAPABILITY_NAMES, type Capability, type Host } from './host.ts';

export type CapabilityExtent = 'yes' | 'partly' | 'none';

export function extentOf(host: Host, capability: Capability): CapabilityExtent {
  return host.shortcomings.find((shortcoming) => shortcoming.capability === capability)?.extent ?? 'yes';
}

export interface MatrixRow {
  readonly capability: Capability;
  readonly says: string;
  readonly hosts: Readonly<Record<string, CapabilityExtent>>;
}

export function matrix(hosts: readonly Host[]): MatrixRow[] {
  return CAPABILITY_NAMES.map((capability) => ({
    capability,
    says: CAPABILITIES[capability],
    hosts: Object.fromEntries(hosts.map((host) => [host.name, extentOf(host, capability)])),
  }));
}

const MARKS: Readonly<Record<CapabilityExtent, string>> = { yes: 'yes', partly: 'partly', none: '-' };

/** The matrix for a terminal: a line for each capability, a column for each host. */
export function matrixText(hosts: readonly Host[]): string {
  const rows = [
    ['', ...hosts.map(({ name }) => name)],
    ...matrix(hosts).map((row) => [row.capability, ...hosts.map(({ name }) => MARKS[certain(row.hosts[name])])]),
  ];
  const widths = itemAt(rows, 0).map((_, column) => Math.max(...rows.map((row) => itemAt(row, column).length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(itemAt(widths, column)))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

const EVIDENCE: Readonly<Record<Host['evidence'], string>> = {
  server: 'the server',
  emulator: "the vendor's emulator",
  documentation: 'nothing; based on documentation',
};

/** docs/hosts/README.md. */
export function hostsDocument(hosts: readonly Host[]): string {
  const redirecting = hosts.filter(({ leadsBrowsers = false }) => leadsBrowsers);
  return `# Hosts

A host is a server or service that serves a tree. \`gridpress build --host NAME\` adds the configuration that the host
needs for the whole API. Each host has a page with its setup and its limits.

| host | name | tested on |
|---|---|---|
${hosts.map(({ name, title, evidence }) => `| [${title}](${name}.md) | \`${name}\` | ${EVIDENCE[evidence]} |\n`).join('')}
To configure several hosts, separate their names with commas, or list them under \`hosts\` in \`gridpress.yaml\`. Then
check a deployment with \`gridpress probe URL --host NAME\`.

## Matrix

| capability | ${hosts.map(({ name }) => name).join(' | ')} |
|---|${hosts.map(() => '---|').join('')}
${matrix(hosts)
  .map((row) => `| \`${row.capability}\` | ${hosts.map(({ name }) => MARKS[certain(row.hosts[name])]).join(' | ')} |\n`)
  .join('')}
## Capabilities

| capability | meaning |
|---|---|
${matrix(hosts)
  .map(({ capability, says }) => `| \`${capability}\` | ${says} |\n`)
  .join('')}
These hosts can [redirect browsers to the explorer](../explorer.md#redirect-browsers-to-the-explorer):
${redirecting.map(({ name }) => `\`${name}\``).join(', ')}.
The other hosts ignore the setting.

\`gridpress hosts --markdown\` generates this page.
`;
}
