/** Values of the wrong type, and numbers beyond double precision. */
import { describe, expect, test } from 'vitest';
import { resourceAt } from '../../../src/core/model/state.ts';
import { storedObject } from '../../../src/core/registry/registry.ts';
import { loadSources } from '../../../src/features/sources/load-sources.ts';
import { CONFIGURATION, NODE, NODE_UID, registryOf, SITE } from '../../support/registries/registry.ts';

const START = `type: node\nuid: ${NODE_UID}\n`;
const CORRECT = 'Correct the value. The schema of the file describes it.';

describe('check reports values of the wrong type', () => {
  test('in a node, from top to bottom', () => {
    const text = `${START}main_memory:
  ram_size: plenty
network_adapters:
  - mac: [a]
storage_devices: none
gpu: 5
`;
    expect(
      registryOf({ [NODE]: text }).findings(),
    ).toBe(`registry-data/${NODE}:4:13: error: "main_memory.ram_size": expected a number, found "plenty". [schema]
  2 | uid: ${NODE_UID}
  3 | main_memory:
> 4 |   ram_size: plenty
    |             ^
  5 | network_adapters:
  6 |   - mac: [a]
  ${CORRECT}

registry-data/${NODE}:6:10: error: "network_adapters.0.mac": expected a string, found a list. [schema]
  4 |   ram_size: plenty
  5 | network_adapters:
> 6 |   - mac: [a]
    |          ^
  7 | storage_devices: none
  8 | gpu: 5
  ${CORRECT}

registry-data/${NODE}:7:18: error: "storage_devices": expected a list, found "none". [schema]
  5 | network_adapters:
  6 |   - mac: [a]
> 7 | storage_devices: none
    |                  ^
  8 | gpu: 5
  ${CORRECT}

registry-data/${NODE}:8:6: error: "gpu": expected a mapping or a list, found 5. [schema]
  6 |   - mac: [a]
  7 | storage_devices: none
> 8 | gpu: 5
    |      ^
  ${CORRECT}
`);
  });

  test('in a field with several accepted forms', () => {
    const text = `${START}gpu:\n  - gpu_count: 1\n  - gpu_count: many\n`;
    expect(
      registryOf({ [NODE]: text }).findings(),
    ).toBe(`registry-data/${NODE}:5:16: error: "gpu.1.gpu_count": expected a number, found "many". [schema]
  3 | gpu:
  4 |   - gpu_count: 1
> 5 |   - gpu_count: many
    |                ^
  ${CORRECT}
`);
  });

  test('in a site, together with a missing field', () => {
    const text = 'type: sight\nuid: lyra\nlatitude: north\n';
    expect(
      registryOf({ [SITE]: text }).findings(),
    ).toBe(`registry-data/${SITE}:1:1: error: "name": missing; expected a string. [schema]
> 1 | type: sight
    | ^
  2 | uid: lyra
  3 | latitude: north
  Add the field.

registry-data/${SITE}:1:7: error: "type": expected "site", found "sight". [schema]
> 1 | type: sight
    |       ^
  2 | uid: lyra
  3 | latitude: north
  ${CORRECT}

registry-data/${SITE}:3:11: error: "latitude": expected a number, found "north". [schema]
  1 | type: sight
  2 | uid: lyra
> 3 | latitude: north
    |           ^
  ${CORRECT}
`);
  });

  test.each(['license: CC-BY-4.0', 'publisher: Meridian', 'doi: 10.5281/zenodo.1'])(
    'in the configuration, with a field of citation at the top: %s',
    async (line) => {
      const given = registryOf({ [CONFIGURATION]: `cluster_uid: main\n${line}\n` });
      const [name] = line.split(':');
      expect(
        await given.failure(() => loadSources({ registry: given.registry })),
      ).toBe(`gridpress.yaml:2:1: error: "${name}": no such field. [schema]
  1 | cluster_uid: main
> 2 | ${line}
    | ^
  Move the field below "citation".
`);
    },
  );

  test('in the configuration, together with an unknown field', async () => {
    const given = registryOf({ [CONFIGURATION]: 'cluster_uid: main\nsnapshot: none\nmax_files: 0\nvendor: A B\n' });
    expect(
      await given.failure(() => loadSources({ registry: given.registry })),
    ).toBe(`gridpress.yaml:2:1: error: "snapshot": no such field. [schema]
  1 | cluster_uid: main
> 2 | snapshot: none
    | ^
  3 | max_files: 0
  4 | vendor: A B
  Remove the field, or correct its name.

gridpress.yaml:3:12: error: "max_files": expected a whole number from 1 on. [schema]
  1 | cluster_uid: main
  2 | snapshot: none
> 3 | max_files: 0
    |            ^
  4 | vendor: A B
  ${CORRECT}

gridpress.yaml:4:9: error: "vendor": expected lowercase letters, digits, dots and hyphens. [schema]
  2 | snapshot: none
  3 | max_files: 0
> 4 | vendor: A B
    |         ^
  ${CORRECT}
`);
  });
});

describe('numbers', () => {
  test('beyond 2^53 are rejected in numeric fields', () => {
    const text = `${START}main_memory:\n  ram_size: 9007199254740993\n`;
    expect(
      registryOf({ [NODE]: text }).findings(),
    ).toBe(`registry-data/${NODE}:4:13: error: "main_memory.ram_size" is 9007199254740993, which a double-precision number cannot represent exactly. [number-too-large]
  2 | uid: ${NODE_UID}
  3 | main_memory:
> 4 |   ram_size: 9007199254740993
    |             ^
  Use a number within ±9007199254740991. If the field accepts strings, quote the number.
`);
  });

  test.each(['.nan', 'NaN', '.inf', '-Infinity'])('such as %s are rejected in numeric fields', (written) => {
    expect(
      registryOf({ [NODE]: `${START}processor:\n  clock_speed: ${written}\n` }).findings(),
    ).toBe(`registry-data/${NODE}:4:16: error: "processor.clock_speed": expected a number, found "${written}". [schema]
  2 | uid: ${NODE_UID}
  3 | processor:
> 4 |   clock_speed: ${written}
    |                ^
  ${CORRECT}
`);
  });

  test('beyond the range of doubles are rejected in numeric fields', () => {
    expect(
      registryOf({ [NODE]: `${START}processor:\n  clock_speed: 1e400\n` }).findings(),
    ).toBe(`registry-data/${NODE}:4:16: error: "processor.clock_speed" is 1e400, which a double-precision number cannot represent exactly. [number-too-large]
  2 | uid: ${NODE_UID}
  3 | processor:
> 4 |   clock_speed: 1e400
    |                ^
  Use a number within ±9007199254740991. If the field accepts strings, quote the number.
`);
  });

  test('of all these kinds are kept as text in fields without a schema', () => {
    const given = registryOf({
      [NODE]: `${START}size: 9007199254740993\nratio: .nan\nlimit: -.inf\nlarge: 1e400\nserial: 007\nyes: yes\n`,
    });
    given.record('First');
    expect(given.findings()).toBe('');
    const { worktree, history, store } = loadSources({ registry: given.registry });
    for (const state of [worktree, history.states[0] ?? null]) {
      const node = resourceAt(state, NODE.slice(0, -'.yaml'.length));
      expect(node && storedObject(store, node.body.handle)).toEqual({
        type: 'node',
        uid: NODE_UID,
        size: '9007199254740993',
        ratio: '.nan',
        limit: '-.inf',
        large: '1e400',
        serial: '007',
        yes: 'yes',
      });
    }
  });
});
