import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { changesBetween } from '../../src/core/history/changes-between.ts';
import { KINDS } from '../../src/core/model/kinds.ts';
import { diff } from '../../src/features/revisions/diff.ts';
import { differingResources } from '../../src/features/revisions/differing-resources.ts';
import { loadSources } from '../../src/features/sources/load-sources.ts';
import { newFolder } from '../support/folders.ts';
import { type Testbed, writeTestbed } from '../support/registries/testbed.ts';

let bed: Testbed;

beforeAll(() => {
  bed = writeTestbed(newFolder());
});

describe('a partial history', () => {
  test('gives the same differences as the full history, between any two revisions', async () => {
    const { registry } = bed;
    const { history, store } = loadSources({ registry });
    for (const [from, { id: old }] of history.revisions.entries()) {
      for (const [to, { id: now }] of history.revisions.entries()) {
        const states = [history.states[from] ?? null, history.states[to] ?? null] as const;
        const whole = differingResources(changesBetween(...states, store, KINDS));
        expect((await diff({ registry, from: old, to: now })).changes).toEqual(whole);
        const lyra = differingResources(changesBetween(...states, store, KINDS), { within: 'sites/lyra' });
        expect((await diff({ registry, from: old, to: now, resource: 'sites/lyra' })).changes).toEqual(lyra);
      }
    }
  });

  test('gives the same differences if a file is formatted differently', async () => {
    const other = writeTestbed(newFolder());
    const folder = join(other.registry, 'history');
    const file = join(folder, readdirSync(folder).sort().at(-2) ?? '');
    const { first, joined } = other.revisions;
    const asked = { from: first.id, to: joined.id };
    const same = await diff({ registry: bed.registry, ...asked });
    appendFileSync(file, '# a remark\n');
    expect(await diff({ registry: other.registry, ...asked })).toEqual(same);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^parents:$/m, 'parents: # one'));
    expect(await diff({ registry: other.registry, ...asked })).toEqual(same);
  });
});
