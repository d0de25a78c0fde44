/** Lock files, texts and tables for papers contain no private values, and queries still find them. */
import { beforeAll, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { CONFIGURATION, NODE, NODE_UID, registryOf } from '../../support/registries/registry.ts';

const GPU = 'SecretGPU9000X';
const CPU = 'SecretCPU77';
const PRIVATE = 'private: {omit: {fields: [gpu.gpu_model, processor.model, description]}}';
const GRID = 'grid.yaml';

const nodeText = `type: node
uid: ${NODE_UID}
node_name: lyra-1
node_type: compute
gpu: {gpu: true, gpu_count: 4, gpu_model: ${GPU}}
processor: {model: ${CPU}}
main_memory: {ram_size: 274877906944}
`;

let folder: string;
const run = (...args: string[]) => gridpress(args, { cwd: folder });

beforeAll(async () => {
  const bed = registryOf(
    {
      [CONFIGURATION]: `cluster_uid: main\n${PRIVATE}\n`,
      [NODE]: nodeText,
      [GRID]: 'type: grid\nuid: testgrid\ndescription: SecretTitle\n',
    },
    newFolder(),
  );
  bed.record('First');
  folder = bed.folder;
  expect(await run('lock', 'lyra-1', '-o', 'l.json')).toMatchObject({ status: 0 });
});

const QUERY = `gpu.gpu_model = '${GPU}'`;

test.each([
  ...['text', 'latex', 'markdown', 'bibtex'].map((form) => ['describe-lock', 'l.json', '--as', form]),
  ['lock', 'lyra-1', '-o', 'm.json', '--describe', 'latex'],
  ...['latex', 'markdown', 'html'].flatMap((form) => [
    ['find', QUERY, `--${form}`],
    ['find', QUERY, `--${form}`, '--at', 'head'],
    ['find', QUERY, `--${form}`, '--lock', 'n.json', '--group-by', 'node_type'],
  ]),
])('%s %s %s %s %s %s', async (...args) => {
  const { status, stdout } = await run(...args.filter((word) => word !== undefined));
  expect(status).toBe(0);
  if (!args.includes('bibtex')) expect(stdout).toMatch(/256.GiB/);
  expect(stdout).not.toContain('Secret');
});

test('a table for a paper has no private column, and a table for the terminal has it', async () => {
  const columns = ['find', QUERY, '--columns', 'node_name,gpu.gpu_model'];
  expect(await run(...columns, '--latex')).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('gpu.gpu_model'),
  });
  expect((await run(...columns)).stdout).toContain(GPU);
});

test('a lock with a private name of a node fails without suggesting this name', async () => {
  const bed = registryOf(
    { [CONFIGURATION]: 'cluster_uid: main\nprivate: {omit: {fields: [node_name]}}\n', [NODE]: nodeText },
    newFolder(),
  );
  bed.record('First');
  const { status, stderr } = await gridpress(['lock', 'lyra-1'], { cwd: bed.folder });
  expect(status).toBe(2);
  expect(stderr).toContain('There is no node "lyra-1".');
  expect(stderr).not.toContain('Did you mean');
});
