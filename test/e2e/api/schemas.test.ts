import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Endpoint, endpointOf, rawFormOf } from '../../../src/core/api/endpoints.ts';
import { METHOD_NOT_ALLOWED, NOT_FOUND, RANGE_NOT_SATISFIABLE, UNAVAILABLE } from '../../../src/core/api/problem.ts';
import { schemaNameOf } from '../../../src/core/api/schemas/document-schemas.ts';
import { FIELD_KEYWORDS, schemaFileName } from '../../../src/core/registry/layout.ts';
import { build } from '../../../src/features/build/build.ts';
import { lock } from '../../../src/features/lock/take-lock.ts';
import { writeApiSchemas, writeLockSchema, writeSchemas } from '../../../src/features/sources/editor-schema-files.ts';
import { newFolder } from '../../support/folders.ts';
import { type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
import { manifestOf } from '../../support/trees/served.ts';

function schemaFileOf(endpoint: Endpoint, dialect: 'current' | 'legacy'): string {
  return schemaFileName(basename(schemaNameOf(endpoint, dialect, endpoint.inSnapshot ? 'any' : 'typed')));
}

const DOCUMENTS = [
  ...['cluster', 'clusters', 'collection-version', 'collection-versions', 'flavor', 'flavors', 'grid'],
  ...['item-version', 'item-versions', 'node', 'nodes', 'site', 'sites'],
  ...['snapshot-cluster', 'snapshot-clusters', 'snapshot-flavor', 'snapshot-flavors', 'snapshot-grid'],
  ...['snapshot-node', 'snapshot-nodes', 'snapshot-site', 'snapshot-sites', 'snapshots'],
  ...['timemap', 'changes', 'feed', 'node-page', 'node-search', 'node-table', 'node-facets'],
  ...[
    'node-rows',
    'node-history',
    'node-groups',
    'node-group',
    'named-node',
    'links',
    'conformance',
    'openapi',
    'schema',
  ],
  ...['exports', 'targets', 'deep', 'item-version-page', 'collection-version-page'],
];

/** The testbed has too few nodes for these documents, and no types. */
const OF_OTHERS = ['node-rows', 'node-group', 'item-version-page', 'collection-version-page'];
/** Collections without resources: they answer only in the legacy dialect, as empty lists. */
const OTHER_COLLECTIONS = ['servers', 'pdus', 'network_equipments', 'environments'].flatMap((name) => [
  name,
  `snapshot-${name}`,
]);
const OTHERS = [
  ...['server', 'pdu', 'network_equipment', 'environment', 'resource', 'resources'].flatMap((name) => [
    name,
    `snapshot-${name}`,
  ]),
  ...OTHER_COLLECTIONS,
];

let bed: Testbed;
let folder: string;

beforeAll(() => {
  bed = writeTestbed(newFolder());
  folder = newFolder();
  writeApiSchemas(folder);
});

function jsonDocuments(out: string) {
  return manifestOf(out).documents.filter(({ path }) => rawFormOf(path) === undefined);
}

/** Validators by schema file name, each compiled once. */
function validators(): (file: string) => ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  // Annotations of fields, which validators would otherwise reject.
  ajv.addVocabulary(Object.values(FIELD_KEYWORDS));
  const known = new Map<string, ValidateFunction>();
  return (file) => {
    const validate = known.get(file) ?? ajv.compile(JSON.parse(readFileSync(join(folder, 'api', file), 'utf8')));
    known.set(file, validate);
    return validate;
  };
}

describe('gridpress schemas', () => {
  test('writes one schema for each document of each dialect, and one for problems', () => {
    const names = [
      ...[...DOCUMENTS, ...OTHERS],
      ...['empty-collection', 'empty-item', 'tombstone', ...DOCUMENTS, ...OTHERS].map((name) => `legacy-${name}`),
      ...['problem', 'tombstone', 'manifest'],
    ];
    const files = names.map((name) => `${name}.schema.json`).toSorted();
    expect(readdirSync(join(folder, 'api')).toSorted()).toEqual(files);
    expect(writeApiSchemas(folder).toSorted()).toEqual(files.map((file) => `api/${file}`));
  });

  test('writes the schemas of the registry files next to them', () => {
    const names = [
      ...['cluster', 'environment', 'flavor', 'grid', 'gridpress', 'network_equipment', 'node', 'pdu', 'revision'],
      ...['server', 'site'],
    ];
    expect(writeSchemas(folder).toSorted()).toEqual(names.map((name) => `${name}.schema.json`));
  });

  test('writes the schema of lock files, which validates a lock file and equals the packaged one', async () => {
    expect(writeLockSchema(folder)).toEqual(['lock.schema.json']);
    const text = readFileSync(join(folder, 'lock.schema.json'), 'utf8');
    expect(text).toBe(readFileSync(join(import.meta.dirname, '../../../schemas/lock.schema.json'), 'utf8'));
    const validate = new Ajv2020({ allErrors: true }).compile(JSON.parse(text));
    const reach = { timeout: 1, maxRequests: 1 };
    const { lock: taken } = await lock({ ...reach, nodes: ['node-1'], from: bed.registry });
    validate(JSON.parse(JSON.stringify(taken)));
    expect(validate.errors).toBe(null);
  });

  test.each(['current', 'legacy'] as const)(
    'writes schemas that match every document of the %s dialect',
    async (dialect) => {
      const out = join(newFolder(), 'dist');
      await build({ registry: bed.registry, out, dialect, showsProgress: false });
      const validator = validators();
      const used = new Set<string>();
      for (const { path, file } of jsonDocuments(out)) {
        const endpoint = endpointOf(path);
        if (!endpoint) throw new Error(`no endpoint answers ${path}`);
        const name = schemaFileOf(endpoint, dialect);
        const validate = validator(name);
        used.add(name);
        validate(JSON.parse(readFileSync(join(out, file), 'utf8')));
        expect({ path, errors: validate.errors }).toEqual({ path, errors: null });
      }
      const prefix = dialect === 'legacy' ? 'legacy-' : '';
      const extra = dialect === 'legacy' ? ['empty-collection', 'empty-item', ...OTHER_COLLECTIONS] : [];
      const here = DOCUMENTS.filter((name) => !OF_OTHERS.includes(name));
      const wanted = [...here, ...extra].map((name) => `${prefix}${name}.schema.json`);
      expect([...used].toSorted()).toEqual(wanted.toSorted());
    },
  );

  test('writes schemas that distinguish the dialects', async () => {
    const out = join(newFolder(), 'dist');
    await build({ registry: bed.registry, out, snapshots: 'none', showsProgress: false });
    const validator = validators();
    for (const { path, file } of jsonDocuments(out)) {
      const endpoint = endpointOf(path);
      if (!endpoint) throw new Error(`no endpoint answers ${path}`);
      const body = JSON.parse(readFileSync(join(out, file), 'utf8'));
      // Documents in external formats are equal in both dialects.
      expect({ path, isLegacy: validator(schemaFileOf(endpoint, 'legacy'))(body) }).toEqual({
        path,
        isLegacy: ['feed', 'targets', 'openapi', 'schema'].includes(endpoint.content),
      });
    }
  });

  test('writes a schema that matches problems', () => {
    const validate = validators()('problem.schema.json');
    for (const problem of [NOT_FOUND, METHOD_NOT_ALLOWED, RANGE_NOT_SATISFIABLE, UNAVAILABLE]) {
      expect({ problem, isValid: validate(JSON.parse(problem)) }).toEqual({ problem, isValid: true });
    }
  });
});
