/** What JSON Schemas are called as files, and what they say besides the words of JSON Schema. */

export const SCHEMAS_FOLDER = 'schemas';
export const API_FOLDER = 'api';

export function schemaFileName(name: string): string {
  return `${name}.schema.json`;
}

/**
 * How a JSON Schema says which class a field belongs to, by which fields the items of an array are told apart, the unit of
 * numbers, and whose term it is.
 */
export const FIELD_KEYWORDS = { class: 'x-class', keys: 'x-keys', unit: 'x-unit', source: 'x-source' } as const;
