import { expect, test } from 'vitest';
import { isSameSpelling } from '../../../../../src/core/registry/fleet/equalities.ts';

test.each([
  ['chassis.manufacturer', 'Dell Inc.', 'Dell', true],
  ['chassis.name', 'Dell Inc.', 'Dell', false],
  ['gpu.gpu_model', 'A100_pcie', 'GA100 [A100 PCIe 80GB]', true],
  ['gpu.gpu_model', 'GA100 [A100 PCIe 40GB]', 'GA100 [A100 PCIe 80GB]', false],
  ['gpu.gpu_model', 'Tesla P100', 'A100', false],
  ['processor.model', 'Intel(R) Xeon(R) Gold 6240R CPU @ 2.40GHz', 'Xeon Gold 6240R', true],
  ['processor.model', 'Xeon Gold 6240R', 'Xeon Gold 6248R', false],
  ['main_memory.ram_size', 512_000_000_000, 549_755_813_888, true],
  ['main_memory.ram_size', 274_877_906_944, 549_755_813_888, false],
  ['storage_devices.size', 1_920_383_410_176, 1_920_000_000_000, true],
  ['architecture.smp_size', 2, 4, false],
  ['gpu.gpu_count', 3, 4, false],
  ['bios.version', undefined, '1', false],
] as const)('%s: %s and %s', (field, from, to, isSame) => {
  expect(isSameSpelling(field.split('.'), from, to)).toBe(isSame);
});
