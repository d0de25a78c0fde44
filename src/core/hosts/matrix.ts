import { itemAt } from '../platform/lookups.ts';
import { CAPABILITIES, CAPABILITY_NAMES, type Capability, type Host } from './host.ts';

export type CapabilityExtent = 'yes' | 'partly' | 'none';

export interface MatrixRow {
  readonly capability: Capability;
  readonly meaning: string;
  readonly hosts: Readonly<Record<string, CapabilityExtent>>;
}

export function matrix(hosts: readonly Host[]): MatrixRow[] {
  return CAPABILITY_NAMES.map((capability) => ({
    capability,
    meaning: CAPABILITIES[capability],
    hosts: Object.fromEntries(hosts.map((host) => [host.name, extentOf(host, capability)])),
  }));
}

function extentOf({ shortcomings }: Host, capability: Capability): CapabilityExtent {
  return shortcomings.find((shortcoming) => shortcoming.capability === capability)?.extent ?? 'yes';
}

function marks(hosts: readonly Host[], capability: Capability): string[] {
  return hosts.map((host) => extentOf(host, capability).replace('none', '-'));
}

/** The matrix for a terminal has a line per capability and a column per host. */
export function matrixText(hosts: readonly Host[]): string {
  const rows = [
    ['', ...hosts.map(({ name }) => name)],
    ...CAPABILITY_NAMES.map((capability) => [capability, ...marks(hosts, capability)]),
  ];
  const widths = itemAt(rows, 0).map((_, column) => Math.max(...rows.map((row) => itemAt(row, column).length)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(itemAt(widths, column))).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

const EVIDENCE: Readonly<Record<Host['evidence'], string>> = {
  server: 'the server',
  emulator: "the vendor's emulator",
  documentation: 'nothing; based on documentation',
};

export function hostsDocument(hosts: readonly Host[]): string {
  const redirecting = hosts.filter(({ canRedirectBrowsers = false }) => canRedirectBrowsers);
  return `# Hosts

A host is a server or service that serves a tree. List your host under \`hosts\` in \`gridpress.yaml\`. Then every build
writes the configuration that the host needs for the whole API. Each host has a page with its setup and its limits.

| host | name | tested on |
|---|---|---|
${hosts.map(({ name, title, evidence }) => `| [${title}](${name}.md) | \`${name}\` | ${EVIDENCE[evidence]} |\n`).join('')}
You can list several hosts. Check a deployment with \`gridpress probe URL --host NAME\`.

## Matrix

| capability | ${hosts.map(({ name }) => name).join(' | ')} |
|---|${hosts.map(() => '---|').join('')}
${CAPABILITY_NAMES.map((name) => `| \`${name}\` | ${marks(hosts, name).join(' | ')} |\n`).join('')}
## Capabilities

| capability | meaning |
|---|---|
${CAPABILITY_NAMES.map((name) => `| \`${name}\` | ${CAPABILITIES[name]} |\n`).join('')}
These hosts can [redirect browsers to the explorer](../explorer.md#redirect-browsers-to-the-explorer):
${redirecting.map(({ name }) => `\`${name}\``).join(', ')}.
The other hosts ignore the setting.

\`gridpress hosts --markdown\` generates this page.
`;
}
