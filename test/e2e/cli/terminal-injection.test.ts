/** Names, values, authors and messages from foreign input never control the terminal or forge lines, in any command. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { NODE, registryOf } from '../../support/registries/registry.ts';

/** Sets the window title, clears the screen, returns to the line start, reverses the text, starts a new line. */
const STEERING = '\u001b]0;x\u0007\u001b[2J\r\u009b1m\u202e\u2066';
const FORGED = `\n00000000 2026-01-01 Forged${STEERING}`;
const FORBIDDEN = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/u;

let registry: string;
let tree: string;

beforeAll(async () => {
  const given = registryOf({}, newFolder());
  registry = given.registry;
  given.record('First');
  given.write({ [NODE]: `${given.read(NODE)}${JSON.stringify(`note${STEERING}`)}: ${JSON.stringify(FORGED)}\n` });
  const recorded = await gridpress(
    ['record', '-m', `Second${STEERING}`, '--author', `Eve${FORGED}`, '--allow-unknown', '--registry', registry],
    { cwd: given.folder },
  );
  expect(recorded.status).toBe(0);
  expect(recorded.stdout + recorded.stderr).not.toMatch(FORBIDDEN);
  tree = join(newFolder(), 'api');
  expect((await gridpress(['build', '--registry', registry, '--out', tree])).status).toBe(0);
  writeFileSync(join(tree, `strange${FORGED}.json`), '{}');
  mkdirSync(join(registry, 'sites', 'lyra', 'clusters', `x${FORGED}`));
  writeFileSync(join(registry, 'sites', 'lyra', 'clusters', `x${FORGED}`, 'cluster.yaml'), 'type: cluster\nuid: x\n');
});

/** Removes the colors of the palette, the only escape sequences that commands print. */
const withoutColours = (text: string) => text.replace(/\p{Cc}\[(?:1|2|22|31|32|33|39)m/gu, '');

test.each([
  ['check'],
  ['check', '--format', 'github'],
  ['log'],
  ['log', '--json'],
  ['log', NODE.replace(/\.yaml$/, '')],
  ['diff'],
  ['show', 'lyra-1'],
  ['show', 'lyra-1', '--json'],
  ['lock', 'lyra-1'],
  ['find', '--from', '{tree}'],
  ['find', '--from', '{tree}', '--ndjson'],
  ['verify', '{tree}'],
  ['record', '-m', 'x', '--dry-run'],
])('%s %s %s %s', async (command, ...rest) => {
  const place = command === 'verify' || command === 'find' ? [] : ['--registry', registry];
  const from = command === 'lock' ? ['--from', registry] : place;
  const args = [command, ...rest.map((part) => part.replace('{tree}', tree)), ...from];
  for (const env of [{}, { FORCE_COLOR: '1' }]) {
    const { stdout, stderr } = await gridpress(args, { env });
    const said = withoutColours(stdout + stderr);
    expect(said).not.toMatch(FORBIDDEN);
    expect(said).not.toMatch(/^(00000000|\S*Forged)/m);
    expect(said.length).toBeGreaterThan(0);
  }
});
