/** docs/findings.md lists every finding code. `npm run findings` writes it from the messages and the examples. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FindingArguments, FindingCode } from '../../src/core/diagnostics/finding.ts';
import type { Message } from '../../src/core/diagnostics/message.ts';
import { MESSAGES } from '../../src/core/diagnostics/messages.ts';
import { FINDING_EXAMPLES } from './finding-examples.ts';

const PAGE = join(import.meta.dirname, '../../docs/findings.md');

const INTRODUCTION = `# Findings

Every error and warning of gridpress has a code, such as \`[uid-twice]\`. This page lists all codes, with an example and a
remedy for each. Names, paths and numbers in the examples are invented.

| severity | meaning | exit status |
|---|---|---|
| \`error\` | The registry, a tree or another input is wrong. | 1 |
| \`failure\` | The command cannot run as it was called. It is printed as an error. | 2 |
| \`warning\` | Something may be wrong. The command continues. | 0, or 1 with \`check --strict\` |

A finding about a file starts with the file, the line and the column. With \`--json\`, each finding is an object with
\`code\`, \`severity\`, \`message\`, \`fix\`, \`file\`, \`line\` and \`column\`.

| code | severity | example | what to do |
|---|---|---|---|
`;

const TEXTS: { readonly [C in FindingCode]: Message<FindingArguments<C>> } = MESSAGES;

function rowOf<C extends FindingCode>(code: C): string {
  const { severity, text } = TEXTS[code];
  const { what, fix } = text(FINDING_EXAMPLES[code]);
  return `| <a id="${code}"></a>\`${code}\` | ${severity} | ${cellOf(what)} | ${cellOf(fix)} |\n`;
}

/** Escapes text for a cell of a Markdown table. */
function cellOf(text: string): string {
  return text.replace(/[\\`*_<>|[\]~]/g, '\\$&').replace(/\n */g, '<br>');
}

function isCode(name: string): name is FindingCode {
  return Object.hasOwn(MESSAGES, name);
}

test('docs/findings.md lists every code, with an example and a remedy', async () => {
  const rows = Object.keys(MESSAGES).filter(isCode).sort().map(rowOf);
  await expect(INTRODUCTION + rows.join('')).toMatchFileSnapshot(PAGE);
});
