import { describe, expect, test } from 'vitest';
import { type Endpoint, endpointOf } from '../../../../../src/core/api/endpoints.ts';
import { isRaw } from '../../../../../src/core/api/raw-forms.ts';
import { followsRules } from '../../../../../src/core/api/schemas/body-rules.ts';
import { schemaNameOf, schemaOf } from '../../../../../src/core/api/schemas/document-schemas.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../../src/core/model/json.ts';
import { planTree } from '../../../../../src/core/tree/plan/plan-tree.ts';
import { packagedChecks } from '../../../../../src/system/trees/packaged-checks.ts';
import { publication } from '../../../../support/values/publication.ts';
import { type Random, random } from '../../../../support/values/random.ts';

const VALUES: readonly Json[] = [
  ...['x', '', 'node', 'removed', 'self', '/sites', '/sites//x', 'f'.repeat(40), '2026-03-01T00:00:00Z'],
  ...[0, -1, 1.5, 2 ** 60, true, null, [], {}, ['x'], [{}]],
];
const NAMES = ['rel', 'href', 'type', 'uid', 'order', 'successor', 'from', 'total', 'constructor', 'x'];

/** Returns a copy of a value with one random alteration. */
function altered(value: Json, { below, pick, chance }: Random): Json {
  const change = (part: Json) => (chance(0.6) ? altered(part, { below, pick, chance }) : pick(VALUES));
  if (Array.isArray(value) && value.length > 0) {
    const at = below(value.length);
    const item = value[at] ?? null;
    if (chance(0.15)) return value.toSpliced(at, 1);
    if (chance(0.15)) return [...value, item];
    if (chance(0.1)) return value.toReversed();
    return value.with(at, change(item));
  }
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    const [name, field] = pick(Object.entries(value));
    if (chance(0.1)) return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
    if (chance(0.1)) return { ...value, [pick(NAMES)]: pick(VALUES) };
    return { ...value, [name]: change(field) };
  }
  return pick(VALUES);
}

function documentsOf(dialect: 'current' | 'legacy'): { endpoint: Endpoint; body: JsonObject }[] {
  return planTree(publication(dialect)).documents.flatMap(({ list }) =>
    [...list()].flatMap(({ url, body: text }) => {
      const endpoint = endpointOf(url);
      if (!endpoint || isRaw(endpoint.form)) return [];
      const body: unknown = JSON.parse(text());
      return isJsonObject(body) ? [{ endpoint, body }] : [];
    }),
  );
}

describe.each(['current', 'legacy'] as const)('bodies of the %s dialect', (dialect) => {
  const checks = packagedChecks;

  test.each(['typed', 'any'] as const)(
    'with %s fields that match the Zod schema also match the JSON Schema of their endpoint',
    (fields) => {
      const source = random(1);
      const schemas = new Map<string, ReturnType<typeof schemaOf>>();
      const counts = { fitting: 0, other: 0 };
      for (const { endpoint, body } of documentsOf(dialect)) {
        // Documents with a single JSON Schema use the one for typed fields.
        const names = (['typed', 'any'] as const).map((each) => schemaNameOf(endpoint, dialect, each));
        const isOne = names[0] === names[1] && !endpoint.inSnapshot;
        const asked = isOne ? 'typed' : endpoint.inSnapshot ? 'any' : fields;
        const name = schemaNameOf(endpoint, dialect, asked);
        const schema = schemas.get(name) ?? schemaOf(endpoint, dialect, asked);
        schemas.set(name, schema);
        const check = checks(name);
        const says = (value: Json) => isJsonObject(value) && check?.(value) && followsRules(endpoint, value);
        expect(says(body), `${endpoint.template} ${name}`).toBe(true);
        for (let n = 0; n < 40; n++) {
          const value = altered(body, source);
          const isFitting = schema.safeParse(value).success;
          counts[isFitting ? 'fitting' : 'other']++;
          expect(says(value), `${name} ${JSON.stringify(value)}`).toBe(isFitting);
        }
      }
      // Both outcomes must occur often.
      expect(Math.min(counts.fitting, counts.other)).toBeGreaterThan(100);
    },
  );
});

test('a collection has its stated number of sorted items, and a page of changes at most a full page', () => {
  const keeps = (url: string, body: JsonObject) => {
    const endpoint = endpointOf(url);
    return endpoint && followsRules(endpoint, body);
  };
  const items = (...uids: string[]) => uids.map((uid) => ({ uid }));
  expect(keeps('/sites', { total: 2, items: items('a', 'b') })).toBe(true);
  expect(keeps('/sites', { total: 3, items: items('a', 'b') })).toBe(false);
  expect(keeps('/sites', { total: 2, items: items('b', 'a') })).toBe(false);
  expect(keeps('/sites', { total: 2, items: items('a', 'a') })).toBe(false);
  expect(keeps('/sites', { total: '2', items: items('a', 'b') })).toBe(false);
  // Newest first, not by uid.
  expect(keeps('/versions', { total: 2, items: items('b', 'a') })).toBe(true);
  const entries = Array.from({ length: 101 }, () => ({}));
  expect(keeps('/changes', { total: 100, items: entries.slice(1) })).toBe(true);
  expect(keeps('/changes', { total: 101, items: entries })).toBe(false);
  expect(keeps('/sites/x', { total: 9 })).toBe(true);
});
