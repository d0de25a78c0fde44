/** The name that people give a node, beside the uid that it is known by. */
import type { JsonObject } from './json.ts';

export function nodeNameOf(body: JsonObject): string | undefined {
  const name = Object.hasOwn(body, 'node_name') ? body['node_name'] : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}
