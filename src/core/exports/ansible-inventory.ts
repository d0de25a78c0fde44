/**
 * Nodes as an inventory of Ansible in YAML: every node a host with variables, in groups by site, type and GPU. What
 * registries say is quoted, and marked as unsafe where Ansible would take it for a template and run it.
 */
import { asText, byCodeUnit, type Json } from '../model/json.ts';
import { hostNames, hostVariables } from './hosts.ts';
import type { WholeNode } from './whole-node.ts';

const PREFIX = 'gridpress_';

/** The variables whose values make groups, and what the groups' names begin with. */
const GROUPED: ReadonlyMap<string, string> = new Map([
  ['site', 'site'],
  ['node_type', 'type'],
  ['gpu', 'gpu'],
]);

/** The lines, those of each node together. `nodes` come with what revision they show. */
export function* ansibleInventory(nodes: readonly WholeNode[], revision: string): Generator<string> {
  const names = hostNames(nodes);
  const groups = new Map<string, string[]>();
  yield `all:\n  vars:\n    ${PREFIX}revision: ${scalar(revision)}\n`;
  yield nodes.length === 0 ? '  hosts: {}\n' : '  hosts:\n';
  for (const [i, node] of nodes.entries()) {
    const host = scalar(names[i] ?? node.uid);
    const variables = hostVariables(node);
    const said = variables.map(({ name, value }) => `      ${PREFIX}${name}: ${flow(value)}\n`);
    yield `    ${host}:\n${said.join('')}`;
    for (const { name, value } of variables) {
      const kind = GROUPED.get(name);
      for (const group of kind === undefined ? [] : groupNames(kind, value)) {
        const members = groups.get(group);
        if (members) members.push(host);
        else groups.set(group, [host]);
      }
    }
  }
  yield groups.size === 0 ? '  children: {}\n' : '  children:\n';
  for (const [name, hosts] of [...groups].sort(([a], [b]) => byCodeUnit(a, b))) {
    yield `    ${name}:\n      hosts:\n`;
    for (const host of hosts) yield `        ${host}: {}\n`;
  }
}

/** Names of groups have letters, digits and underscores only. */
function groupNames(kind: string, value: Json): string[] {
  const texts = Array.isArray(value) ? value : [value];
  return texts.map((text) => `${kind}_${asText(text).replaceAll(/[^A-Za-z0-9_]/gu, '_')}`);
}

function flow(value: Json): string {
  return Array.isArray(value) ? `[${value.map(scalar).join(', ')}]` : scalar(value);
}

/** What Jinja takes for the beginning of a template, a statement or a comment. */
const TEMPLATE = /\{[{%#]/;

/** Texts in double quotes, in printable ASCII, so that every reader of YAML takes them. */
function scalar(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const text = JSON.stringify(value).replace(/[^\x20-\x7e]/gu, escaped);
  return TEMPLATE.test(value) ? `!unsafe ${text}` : text;
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
