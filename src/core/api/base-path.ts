/** What may stand before every path of the API. */
import { ENDPOINTS } from './endpoints.ts';

const segmentOf = (path: string) => path.split('/')[1] ?? '';

/** The names right below the root of the API. */
const NAMES = new Set(ENDPOINTS.map(({ template }) => segmentOf(template)).filter((name) => name !== ''));

/** The name of the API with which a base path begins: what follows would be the one and the other. */
export function nameTaken(basePath: string): string | undefined {
  const name = segmentOf(basePath);
  return NAMES.has(name) ? name : undefined;
}
