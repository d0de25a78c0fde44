/** Host rules with a header value that the configuration would reject. */
import { CACHE_CONTROL } from '../../../src/core/api/endpoints.ts';
import { type HostRules, hostRules } from '../../../src/core/hosts/rules.ts';
import { configurationSchema } from '../../../src/core/model/configuration.ts';

/**
 * Characters that end strings or start comments, blocks and placeholders. `$` is missing, because nginx cannot escape
 * it.
 */
export const HOSTILE_VALUE = `max-age=1; a="b\\c'd\\"; e#f {x} {{y}} 100%n %{z}e <g> */ h`;

export function hostileRules(): HostRules {
  const configuration = {
    ...configurationSchema().parse({ cluster_uid: 'main' }),
    headers: { strict_transport_security: HOSTILE_VALUE },
  };
  return hostRules({
    configuration,
    cacheControl: CACHE_CONTROL,
    redirects: [],
    lastModified: 'Wed, 25 Feb 2026 08:00:00 GMT',
  });
}
