/** Nodes of Slurm, with the forms of several versions. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { slurm } from '../../../../src/core/observe/formats/slurm.ts';
import { failureOfReport, machinesIn, mergedBody } from '../../../support/reports/observed.ts';
import { slurmNode, slurmReport } from '../../../support/reports/reports.ts';

const BODY = {
  architecture: { platform_type: 'x86_64', smp_size: 1, smt_size: 64 },
  processor: { instruction_set: 'x86_64' },
  main_memory: { ram_size: 268_435_456_000, humanized_ram_size: '250 GiB' },
  gpu: { gpu: true, gpu_count: 1, gpu_model: 'l40s' },
};

test('each node of a report is a machine', () => {
  const report = slurmReport([slurmNode(1), slurmNode(2)]);
  expect(slurm.recognises(report)).toBe(true);
  expect(machinesIn(slurm, report).map(({ names }) => names)).toEqual([['lyra-c01'], ['lyra-c02']]);
  expect(mergedBody(slurm, report)).toEqual(BODY);
});

test('reports of the version 20.11 have plain texts and numbers', () => {
  const old = slurmNode(1, {
    state: 'idle',
    state_flags: ['DRAIN'],
    features: 'zen3,l40s',
    free_mem: 201_334,
    owner: null,
  });
  expect(mergedBody(slurm, slurmReport([old]))).toEqual(BODY);
});

test.each<[string, JsonObject, JsonObject, JsonObject?]>([
  [
    'CPUs without a topology',
    { sockets: 96, cores: 1, threads: 1, cpus: 96 },
    { ...BODY, architecture: { platform_type: 'x86_64', smt_size: 96 } },
  ],
  [
    'CPUs without a topology, which never replace a value',
    { sockets: 96, cores: 1, threads: 1, cpus: 96 },
    { ...BODY, architecture: { platform_type: 'x86_64', smp_size: 2, smt_size: 192 } },
    { architecture: { smp_size: 2, smt_size: 192 } },
  ],
  [
    'the default of the memory',
    { real_memory: 1, gres: '' },
    { architecture: BODY.architecture, processor: BODY.processor },
  ],
  [
    'less memory than installed, which never replaces a value',
    { real_memory: 485_000 },
    { ...BODY, main_memory: { ram_size: 549_755_813_888 } },
    { main_memory: { ram_size: 549_755_813_888 } },
  ],
  [
    'no generic resources',
    { gres: '(null)' },
    { ...BODY, gpu: { gpu: true, gpu_count: 2 } },
    { gpu: { gpu: true, gpu_count: 2 } },
  ],
  ['GPUs without a type', { gres: 'gpu:4' }, { ...BODY, gpu: { gpu: true, gpu_count: 4 } }],
  [
    'no GPUs of a type',
    { gres: 'gpu:a100:0,gpu:0' },
    { architecture: BODY.architecture, processor: BODY.processor, main_memory: BODY.main_memory },
  ],
  ['a GPU without a count', { gres: 'gpu' }, { ...BODY, gpu: { gpu: true, gpu_count: 1 } }],
  [
    'two types of GPUs',
    { gres: 'gpu:tesla:2(S:0-1),gpu:a30:1,shard:8' },
    { ...BODY, gpu: { gpu: true, gpu_count: 3 } },
  ],
  [
    'instances of a partitioned GPU, with its model',
    { gres: 'gpu:a100:3(S:0),gpu:nvidia_a100_1g.5gb:7(S:0-1)' },
    { ...BODY, gpu: { gpu: true, gpu_count: 4, gpu_model: 'A100' } },
    { gpu: { gpu: true, gpu_count: 4, gpu_model: 'A100' } },
  ],
  [
    'NUMA nodes as sockets, which never replace a value',
    { sockets: 8, cores: 16, threads: 1, cpus: 128 },
    { ...BODY, architecture: { platform_type: 'x86_64', smp_size: 2, smt_size: 256 } },
    { architecture: { smp_size: 2, smt_size: 256 } },
  ],
  ['instances of a partitioned GPU', { gres: 'gpu:1g.10gb:7(S:0)' }, { ...BODY, gpu: { gpu: true } }],
  [
    'the nickname of a GPU, which never replaces a model',
    {},
    { ...BODY, gpu: { gpu: true, gpu_count: 1, gpu_model: 'AD102GL [L40S]' } },
    { gpu: { gpu: true, gpu_count: 1, gpu_model: 'AD102GL [L40S]' } },
  ],
  [
    'another architecture',
    { architecture: 'aarch64' },
    {
      ...BODY,
      architecture: { platform_type: 'aarch64', smp_size: 1, smt_size: 64 },
      processor: { instruction_set: 'aarch64' },
    },
  ],
])('%s', (_, changes, expected, before = {}) => {
  expect(mergedBody(slurm, slurmReport([slurmNode(1, changes)]), before)).toEqual(expected);
});

test.each<[string, JsonObject, string]>([
  [
    'a node of a cloud',
    { state: ['IDLE', 'CLOUD'] },
    'warning: "lyra-c01" was left out: in the state CLOUD, the machine may not exist.',
  ],
  ['a future node of an older version', { state: 'FUTURE*' }, 'in the state FUTURE'],
  ['a wrong type', { cores: 'many' }, '"cores": expected a number, found "many".'],
  ['a control character', { name: 'a\u001b]0;x\u0007' }, '"name": expected a text without control characters'],
])('%s is a finding', (_, changes, expected) => {
  expect(failureOfReport(slurm, slurmReport([slurmNode(1, changes)]))).toContain(expected);
});
