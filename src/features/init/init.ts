/** `gridpress init`: a small registry to start from, with its first revision recorded. */
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { modeline, SCHEMAS_FOLDER } from '../../core/registry/editor-schemas.ts';
import { replaceFile } from '../../system/files/replace-file.ts';
import { record } from '../revisions/record.ts';
import { writeSchemas } from './editor-schema-files.ts';

export interface InitResult {
  readonly folder: string;
  readonly files: readonly string[];
}

const NODE = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

/** The sources of the scaffold: each with the schema that checks it and its text. */
const SCAFFOLD: readonly { readonly file: string; readonly schema: string; readonly text: string }[] = [
  {
    file: 'gridpress.yaml',
    schema: 'gridpress',
    text: `cluster_uid: main          # the one uid that the cluster of every bare-metal site has
node_uid: uuid             # or name, when nodes are known by names such as rack1-3
snapshots: all             # or none, or a list of revisions
`,
  },
  { file: 'registry-data/grid.yaml', schema: 'grid', text: 'type: grid\nuid: mygrid\n' },
  {
    file: 'registry-data/sites/first/site.yaml',
    schema: 'site',
    text: `type: site
uid: first
name: First Site
description: The first site of the testbed
location: Somewhere
latitude: 0
longitude: 0
web: https://testbed.example.org
email_contact: contact@testbed.example.org
security_contact: security@testbed.example.org
sys_admin_contact: admin@testbed.example.org
user_support_contact: help@testbed.example.org
site_class: baremetal
`,
  },
  {
    file: 'registry-data/sites/first/clusters/main/cluster.yaml',
    schema: 'cluster',
    text: 'type: cluster\nuid: main\n',
  },
  {
    file: `registry-data/sites/first/clusters/main/nodes/${NODE}.yaml`,
    schema: 'node',
    text: `type: node
uid: ${NODE}
node_name: node-1
node_type: compute
architecture:
  platform_type: x86_64
  smp_size: 2              # sockets
  smt_size: 64             # threads
main_memory:
  ram_size: 274877906944   # bytes
  humanized_ram_size: 256 GiB
storage_devices:
  - device: sda
    interface: SATA
    media_type: SSD
    model: EX480
    serial: "0001"
    size: 480000000000
    humanized_size: 480 GB
`,
  },
];

export function init(folder: string): InitResult {
  if (existsSync(join(folder, 'registry-data')) && readdirSync(join(folder, 'registry-data')).length > 0) {
    fail(finding('not-empty', { folder: join(folder, 'registry-data') }));
  }
  if (existsSync(join(folder, 'gridpress.yaml'))) fail(finding('not-empty', { folder }));
  const files = writeSchemas(join(folder, SCHEMAS_FOLDER)).map((file) => join(SCHEMAS_FOLDER, file));
  for (const { file, schema, text } of SCAFFOLD) {
    const way = '../'.repeat(file.split('/').length - 1) || './';
    replaceFile(folder, file, modeline(way + SCHEMAS_FOLDER, schema) + text);
    files.push(file);
  }
  const first = record({ registry: join(folder, 'registry-data'), message: 'First revision' });
  return { folder, files: [...files, relative(folder, first.file)] };
}
