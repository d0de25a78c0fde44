/** A header that says something else in the servers' languages reaches clients as it is. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { needs } from '../../support/processes/programs.ts';
import { SERVERS, startServer } from '../../support/services/servers.ts';
import { hostTree } from '../../support/trees/host-tree.ts';
import { clientOf } from '../../support/trees/served.ts';
import { HOSTILE_VALUE, hostileRules } from '../../support/values/hostile-rules.ts';

describe.each(SERVERS)('$host.name', (server) => {
  const { isMissing, because } = needs(...server.needs);

  test.skipIf(isMissing)(`says a header as it is configured${because}`, async () => {
    const place = await hostTree(server.host, 'current', '', { precompressed: false });
    for (const [file, text] of server.host.files(hostileRules(server.host.variants))) {
      mkdirSync(dirname(join(place.tree, file)), { recursive: true });
      writeFileSync(join(place.tree, file), text);
    }
    const { port } = await startServer(server, place);
    const { status, headers } = await clientOf(port).get('/sites');
    expect([status, headers['strict-transport-security']]).toEqual([200, HOSTILE_VALUE]);
  });
});
