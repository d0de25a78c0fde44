import { describedField } from '../../model/fields/field-descriptions.ts';
import type { Facet } from '../../table/facets.ts';

/** `since` is the first revision in which a node had this field. */
export function facetBody({ path, range, longer, ...facet }: Facet, since: string | undefined) {
  const { text, unit, source } = (path ? describedField('node', path) : facet.described) ?? {};
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
