/** What there is in a field of nodes, as documents and `find --fields` say it. */
import { describedField } from '../../model/fields/field-descriptions.ts';
import type { Facet } from '../../table/facets.ts';

/** `since` is the first revision after which a node had the field, where that is known. */
export function facetBody({ way, range, longer, ...facet }: Facet, since: string | undefined) {
  const { text, unit, source } = (way ? describedField('node', way) : facet.described) ?? {};
  const { name, types, nodes, distinct, values, lengths } = facet;
  return {
    name,
    types,
    class: facet.class,
    ...(types.includes('number') && unit !== undefined ? { unit } : {}),
    ...(text === undefined ? {} : { description: text }),
    ...(source === undefined ? {} : { source }),
    ...(since === undefined ? {} : { since }),
    nodes,
    distinct,
    ...(values ? { values } : {}),
    ...(longer > 0 ? { longer } : {}),
    ...(range ?? {}),
    ...(lengths ? { lengths } : {}),
  };
}
