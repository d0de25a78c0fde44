/** Values of documents as texts and numbers, which are empty for a value of another type; and their links. */
import { isJsonObject, itemsIn, type Json, type JsonObject } from '../../core/model/json.ts';

export function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function number(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}

/** The target of the first link with a relation; undefined where there is none. */
export function linkTo({ links }: JsonObject, rel: string): string | undefined {
  return (
    text(
      itemsIn(links)
        .filter(isJsonObject)
        .find((link) => link['rel'] === rel)?.['href'],
    ) || undefined
  );
}
