import { expect, test } from 'vitest';
import { isSameSpelling } from '../../../../../src/core/registry/fleet/equalities.ts';

test.each([
  ['chassis.manufacturer', 'Dell Inc.', 'Dell', true],
  ['chassis.name', 'Dell Inc.', 'Dell', false],
  ['network_adapters.vendor', 'Mellanox Technologies', 'Mellanox', true],
  ['network_adapters.vendor', 'Broadcom Inc. and subsidiaries', 'Broadcom', true],
  ['network_adapters.vendor', 'Mellanox Technologies', 'Broadcom', false],
  ['storage_devices.vendor', 'Samsung Electronics Co Ltd ', 'SAMSUNG', true],
  ['storage_devices.vendor', 'Samsung Electronics Co., Ltd.', 'Samsung', true],
  ['storage_devices.vendor', 'Micron Technology, Inc.', 'Micron', true],
  ['processor.instruction_set', 'x86-64', 'x86_64', true],
  ['processor.instruction_set', 'x86-64', 'x86', false],
  ['processor.instruction_set', 'x86_64', 'aarch64', false],
  ['gpu.gpu_model', 'A100_pcie', 'GA100 [A100 PCIe 80GB]', true],
  ['gpu.gpu_model', 'GA100 [A100 PCIe 40GB]', 'GA100 [A100 PCIe 80GB]', false],
  ['gpu.gpu_model', 'Tesla P100', 'A100', false],
  ['processor.model', 'Intel(R) Xeon(R) Gold 6240R CPU @ 2.40GHz', 'Xeon Gold 6240R', true],
  ['processor.model', 'Xeon Gold 6240R', 'Xeon Gold 6248R', false],
  ['main_memory.ram_size', 512_000_000_000, 549_755_813_888, true],
  ['main_memory.ram_size', 274_877_906_944, 549_755_813_888, false],
  ['storage_devices.size', 1_920_383_410_176, 1_920_000_000_000, true],
  ['storage_devices.size', 3_839_700_762_624, 3_840_000_000_000, true],
  ['storage_devices.size', 500_107_862_016, 512_110_190_592, false],
  ['architecture.smp_size', 2, 4, false],
  ['gpu.gpu_count', 3, 4, false],
  ['bios.version', undefined, '1', false],
] as const)('%s: %s and %s', (field, from, to, isSame) => {
  expect(isSameSpelling(field.split('.'), from, to)).toBe(isSame);
});

const PORT = { device: 'NIC.Embedded.2-1', enabled: false, interface: 'Ethernet', mac: '', model: null };

test.each([
  ['gpu', { gpu: false }, true],
  ['gpu', { gpu: false, gpu_model: null }, true],
  ['gpu', { gpu: false, gpu_count: 1 }, false],
  ['gpu', { gpu: true }, false],
  ['gpu', {}, false],
  ['fpga', { gpu: false }, false],
  ['network_adapters', PORT, true],
  ['network_adapters', { ...PORT, enabled: true }, false],
  ['network_adapters', { ...PORT, mac: 'b8:ce:f6:50:62:88' }, false],
  ['network_adapters', { ...PORT, rate: 1_000_000_000 }, false],
  ['network_adapters', { device: 'eth0' }, false],
  ['storage_devices', { device: 'sda', enabled: false }, false],
] as const)('%s: nothing and %j', (field, part, isSame) => {
  expect(isSameSpelling([field], undefined, part)).toBe(isSame);
  expect(isSameSpelling([field], part, undefined)).toBe(isSame);
  expect(isSameSpelling([field, 'part'], part, undefined)).toBe(false);
});
