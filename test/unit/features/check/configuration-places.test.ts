import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placesInConfiguration } from '../../../../src/features/check/check-configuration.ts';
import { newFolder } from '../../../support/folders.ts';

test('the configuration is read once for many places', () => {
  const folder = newFolder();
  const config = join(folder, 'gridpress.yaml');
  writeFileSync(
    config,
    "cluster_uid: any\nlabels:\n  gpu:\n    - { label: A, match: ['a'] }\n    - { label: B, match: ['b'] }\n",
  );
  const placeOf = placesInConfiguration({ registry: join(folder, 'registry-data'), config });
  expect(placeOf(['labels', 'gpu', 0])).toMatchObject({ line: 4 });
  rmSync(config);
  expect(placeOf(['labels', 'gpu', 1])).toMatchObject({ line: 5 });
});
