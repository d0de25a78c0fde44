/** Compares a tree with its own OpenAPI document, like an external validator. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { endpointOf, rawFormOf } from '../../../src/core/api/endpoints.ts';
import { isJsonObject, type JsonObject } from '../../../src/core/model/json.ts';
import { FIELD_KEYWORDS } from '../../../src/core/registry/layout.ts';
import { manifestOf } from './served.ts';

/** Returns the value at nested keys. */
export function within(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((at, name) => (isJsonObject(at) ? at[name] : undefined), value);
}

export function objectAt(out: string, file: string): JsonObject {
  const body: unknown = JSON.parse(readFileSync(join(out, file), 'utf8'));
  if (!isJsonObject(body)) throw new Error(`${file} is no object`);
  return body;
}

export interface DescribedTree {
  /** The templates of operations that match a document. */
  readonly operations: ReadonlySet<string>;
  /** Documents without a matching operation or media type, and documents that violate their schemas. */
  readonly misfits: readonly object[];
}

/** Checks every document and every example. */
export function describedTree(out: string): DescribedTree {
  const openapi = objectAt(out, 'openapi.json');
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strict: false });
  for (const keyword of Object.values(FIELD_KEYWORDS)) ajv.addKeyword(keyword);
  ajv.addSchema(openapi, 'openapi.json');
  const operations = new Set<string>();
  const paths = Object.keys(within(openapi, 'paths') ?? {});
  const misfits: object[] = [];
  const hold = (value: unknown, reference: string, what: object) => {
    const validate = ajv.getSchema(`openapi.json${reference}`);
    if (validate?.(value) !== true) misfits.push({ ...what, reference, errors: validate?.errors });
  };
  for (const document of manifestOf(out).documents) {
    const { path, file } = document;
    const template = templateOf(path, paths);
    const type = 'type' in document ? document.type.split(';')[0] : 'application/json';
    const answered = within(openapi, 'paths', template, 'get', 'responses', '200', 'content', type ?? '');
    operations.add(template);
    if (!isJsonObject(answered)) misfits.push({ path, template, type });
    else if (rawFormOf(path) === undefined)
      hold(JSON.parse(readFileSync(join(out, file), 'utf8')), String(within(answered, 'schema', '$ref')), { path });
  }
  const problem = (name: string) => `#/components/responses/${name}/content/application~1problem+json/schema`;
  for (const { file } of manifestOf(out).files)
    if (file === '404.json' || (/^_gone\/.*\.json$/.test(file) && !file.endsWith('/index.json')))
      hold(objectAt(out, file), problem(file.startsWith('_gone/') ? 'Gone' : 'NotFound'), { file });
  for (const [name, example] of Object.entries(within(openapi, 'components', 'examples') ?? {}))
    hold(within(example, 'value'), `#/components/schemas/${name}`, { example: name });
  return { operations, misfits };
}

/** The template of a path; declared kinds have the names of their own description. */
function templateOf(path: string, described: readonly string[]): string {
  const template = endpointOf(path)?.template ?? '';
  if (!template.includes('{resources}')) return template;
  const [segments, known] = [path.split('/'), template.split('/')];
  const isOf = (each: string) => {
    const names = each.split('/');
    const fits = known.map((name, i) => {
      if (name === '{resources}') return names[i] === segments[i];
      return name === '{resource_uid}' ? names[i]?.startsWith('{') : names[i] === name;
    });
    return names.length === known.length && fits.every(Boolean);
  };
  return described.find(isOf) ?? template;
}
