/**
 * Changes of a real registry: updates by class, repairs that commit messages mention, and partial histories. Runs if
 * GRIDPRESS_REAL_REGISTRY names a git bundle, along first parents. The expected numbers belong to that registry.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changesBetween } from '../../src/core/history/changes-between.ts';
import { classNames, FIELD_CLASSES } from '../../src/core/model/field-classes.ts';
import { KINDS } from '../../src/core/model/kinds.ts';
import { diff } from '../../src/features/revisions/diff.ts';
import { differingResources } from '../../src/features/revisions/differing-resources.ts';
import { loadSources, type Sources } from '../../src/features/sources/load-sources.ts';
import { gridpress } from '../support/processes/cli.ts';

const BUNDLE = process.env['GRIDPRESS_REAL_REGISTRY'];
const NAME =
  BUNDLE === undefined ? 'a real registry (GRIDPRESS_REAL_REGISTRY names no bundle of one)' : 'a real registry';
const MINUTE = 60_000;

describe.skipIf(BUNDLE === undefined)(NAME, () => {
  let folder: string;
  let registry: string;
  let sources: Sources;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gridpress-real-'));
    registry = join(folder, 'registry-data');
    await gridpress(['import', BUNDLE ?? '', '-o', registry, '--first-parent']);
    sources = loadSources({ registry });
  }, 2 * MINUTE);

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** Returns the changes of the only revision with this text in its message. */
  async function repaired(message: string) {
    const { revisions, parents } = sources.history;
    const found = [...revisions.keys()].filter((index) => revisions[index]?.message.includes(message));
    expect({ message, found: found.length }).toEqual({ message, found: 1 });
    const [index = 0] = found;
    const before = revisions[parents[index]?.[0] ?? 0]?.id ?? '';
    return (await diff({ registry, from: before, to: revisions[index]?.id ?? '' })).changes;
  }

  test('has the expected number of updates of each class', () => {
    const updates = sources.history.changes.flat().filter(({ fields }) => fields !== undefined);
    const table = FIELD_CLASSES.map((name) => [
      name,
      updates.filter(({ classes }) => classNames(classes).includes(name)).length,
    ]);
    expect(updates).toHaveLength(6617);
    expect(updates.filter(({ action }) => action === 'replaced')).toHaveLength(1);
    expect(Object.fromEntries(table)).toEqual({
      hardware: 2323,
      firmware: 1161,
      component: 391,
      placement: 1317,
      identity: 1653,
      derived: 1884,
      administrative: 1927,
      unknown: 4,
    });
  });

  test('contains a replaced network interface as one change of four addresses', async () => {
    const [node, ...others] = await repaired('Network interface replaced');
    expect(others).toEqual([]);
    expect([node?.action, node?.classes]).toEqual(['replaced', ['component']]);
    expect(node?.fields.map(({ field }) => field)).toEqual([1, 2, 3, 4].map((n) => `network_adapters[eno${n}].mac`));
  });

  test('contains failed and removed disks as removed hardware', async () => {
    const nodes = await repaired('ssds due to hardware failure');
    expect(nodes.map(({ action, classes }) => [action, classes])).toEqual([
      ['updated', ['hardware']],
      ['updated', ['hardware']],
    ]);
    for (const { fields } of nodes) {
      expect(fields.map(({ at, to }) => [at.split('/')[1], to])).toEqual([
        ['storage_devices', undefined],
        ['storage_devices', undefined],
      ]);
    }
  });

  test('contains a node that took the name of another as a change of its name alone', async () => {
    const [node, ...others] = await repaired('Merge pull request #53 ');
    expect(others).toEqual([]);
    expect([node?.action, node?.classes]).toEqual(['updated', ['identity']]);
    expect(node?.fields.map(({ field }) => field)).toEqual(['node_name']);
  });

  test(
    'gives the same changes from a partial history as from the full one',
    async () => {
      const { history, store } = sources;
      const { revisions, states } = history;
      for (let from = 0; from < revisions.length; from += 17) {
        for (let to = from; to < revisions.length; to += 31) {
          const whole = differingResources(changesBetween(states[from] ?? null, states[to] ?? null, store, KINDS));
          const asked = { registry, from: revisions[from]?.id ?? '', to: revisions[to]?.id ?? '' };
          expect((await diff(asked)).changes).toEqual(whole);
        }
      }
    },
    2 * MINUTE,
  );
});
