import { expect, test } from 'vitest';
import { componentName, componentsOf } from '../../../../../src/core/api/description/components.ts';
import type { JsonObject } from '../../../../../src/core/model/json.ts';

const link = (rel: string) => ({ type: 'object', properties: { rel: { const: rel }, href: { type: 'string' } } });
const links = (...rels: string[]) => ({ type: 'array', prefixItems: rels.map(link), items: false });
const LIST = { type: 'array', items: { $ref: '#/components/schemas/Link' } };

test('names of documents become names of types', () => {
  expect(['node-page', 'grid', 'item_version', '3d'].map(componentName)).toEqual([
    ...['NodePage', 'Grid', 'ItemVersion', '3d'],
  ]);
});

test('a type of document is described once, and links are a list of links', () => {
  const node = { type: 'object', properties: { uid: { type: 'string' }, links: links('self', 'parent') } };
  const components = componentsOf(
    new Map([
      ['node', { $schema: 'x', ...node }],
      [
        'nodes',
        {
          type: 'object',
          properties: {
            items: { type: 'array', items: node },
            links: { anyOf: [links('self'), links('self', 'next')] },
          },
        },
      ],
    ]),
    'current',
  );
  expect(Object.keys(components)).toEqual(['Link', 'Node', 'Nodes']);
  expect(components['Node']).toEqual({ type: 'object', properties: { uid: { type: 'string' }, links: LIST } });
  expect(components['Nodes']).toEqual({
    type: 'object',
    properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Node' } }, links: LIST },
  });
});

test('a shared schema is named after its field, or otherwise if the name is taken', () => {
  const gpu = { type: 'object', properties: { model: { type: 'string', description: 'x'.repeat(200) } } };
  const holding = (name: string) => ({ type: 'object', properties: { gpu, [name]: { type: 'string' } } });
  const documents = new Map<string, JsonObject>([
    ['gpu', { type: 'object', properties: {} }],
    ['a', holding('a')],
    ['b', holding('b')],
  ]);
  const components = componentsOf(documents, 'legacy');
  expect(Object.keys(components)).toEqual(['A', 'B', 'Gpu', 'Gpu2', 'Link']);
  expect(components['A']).toMatchObject({ properties: { gpu: { $ref: '#/components/schemas/Gpu2' } } });
  expect(components['Gpu2']).toEqual(gpu);
  expect(components['Link']).toMatchObject({ required: ['rel', 'href', 'type'] });
});
