/** Values of documents as texts and numbers: what is none counts for an empty one. */
import type { Json } from '../../core/model/json.ts';

export function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function number(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}
