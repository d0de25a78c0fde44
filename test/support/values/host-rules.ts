/** Small rules for readable host configurations: two redirects, and one configured header. */
import { CACHE_CONTROL } from '../../../src/core/api/endpoints.ts';
import { type HostRules, hostRules } from '../../../src/core/hosts/rules.ts';
import { type Configuration, configurationSchema } from '../../../src/core/model/configuration.ts';

const ROOT_VERSION = '/versions/91a3482404be5cf2a77cf1a8a5e24f0bd0a4c6e1';
const SITE_VERSION = '/sites/north/versions/8f0a7105c1a3b5d7e9f0a1b2c3d4e5f601234567';

export function smallRules(dialect: Configuration['dialect'], prefix: string): HostRules {
  const configuration = configurationSchema().parse({
    cluster_uid: 'main',
    vendor: 'example',
    dialect,
    base_path: prefix,
    headers: { strict_transport_security: 'max-age=31536000; includeSubDomains' },
  });
  const redirects = [
    { from: '/versions/latest', to: ROOT_VERSION },
    { from: '/sites/north/versions/latest', to: SITE_VERSION },
  ];
  return hostRules({
    configuration,
    cacheControl: CACHE_CONTROL,
    redirects,
    tombstones: ['/sites/dune'],
    lastModified: 'Wed, 25 Feb 2026 08:00:00 GMT',
  });
}
