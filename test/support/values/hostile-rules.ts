/** Rules for hosts with a header of which the configuration would let none of the odd characters pass. */
import { type HostRules, hostRules } from '../../../src/core/hosts/rules.ts';
import { configurationSchema } from '../../../src/core/model/configuration.ts';
import type { Variants } from '../../../src/core/tree/layout.ts';

/** What ends strings and begins comments, blocks and placeholders. Only a `$` is missing, which nginx cannot be told. */
export const HOSTILE_VALUE = `max-age=1; a="b\\c'd\\"; e#f {x} {{y}} 100%n %{z}e <g> */ h`;

export function hostileRules(variants: Variants): HostRules {
  const configuration = {
    ...configurationSchema().parse({ cluster_uid: 'main' }),
    headers: { strict_transport_security: HOSTILE_VALUE },
  };
  return { ...hostRules({ configuration, dialect: 'current', prefix: '', redirects: [] }), variants };
}
