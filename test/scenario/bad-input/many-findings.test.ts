/** Commands print all findings together: the first fifty completely, then the number of others. */
import { expect, test } from 'vitest';
import { registryOf } from '../../support/registries/registry.ts';

const FLAVORS = 'sites/lyra/flavors';

function flavorFile(i: number): string {
  return `${FLAVORS}/m${String(i).padStart(2, '0')}.yaml`;
}

function message(i: number): string {
  return `registry-data/${flavorFile(i)}:3:8: error: "vcpus": expected a number, found "many". [schema]
  1 | type: flavor
  2 | uid: m${String(i).padStart(2, '0')}
> 3 | vcpus: many
    |        ^
  Correct the value. The schema of the file describes it.
`;
}

function flavors(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      flavorFile(i),
      `type: flavor\nuid: m${String(i).padStart(2, '0')}\nvcpus: many\n`,
    ]),
  );
}

function messages(count: number): string {
  return Array.from({ length: count }, (_, i) => message(i)).join('\n');
}

test('fifty findings are all printed', () => {
  expect(registryOf(flavors(50)).findings()).toBe(messages(50));
});

test('prints fifty of many findings, and the number of further findings', () => {
  expect(registryOf(flavors(51)).findings()).toBe(`${messages(50)}\n… and 1 more finding\n`);
  expect(registryOf(flavors(93)).findings()).toBe(`${messages(50)}\n… and 43 more findings\n`);
});

test('findings of the history and of the resources are printed together', () => {
  const given = registryOf({ 'sites/lyra/flavors/m1.yaml': 'type: flavor\nuid: m1\n' });
  const { file } = given.record('First');
  given.write({
    'sites/lyra/flavors/m1.yaml': 'type: flavour\nuid: m1\n',
    [file]: given.read(file).replace('author: Ada Brown', 'author: [Ada]'),
  });
  expect(
    given.findings(),
  ).toBe(`registry-data/sites/lyra/flavors/m1.yaml:1:7: error: "type": expected "flavor" or "vm_flavor", found "flavour". [schema]
> 1 | type: flavour
    |       ^
  2 | uid: m1
  Correct the value. The schema of the file describes it.

registry-data/${file}:3:9: error: "author": expected a string, found a list. [schema]
  1 | ${given.read(file).split('\n')[0]}
  2 | date: "2026-01-01T12:00:00Z"
> 3 | author: [Ada]
    |         ^
  4 | message: First
  5 | ${given.read(file).split('\n')[4]}
  Correct the value. The schema of the file describes it.
`);
});
