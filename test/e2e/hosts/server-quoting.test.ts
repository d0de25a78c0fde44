/** Headers with special characters of the servers' configuration languages reach clients unchanged. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { needs } from '../../support/processes/programs.ts';
import { SERVERS, serverTree, startServer } from '../../support/services/servers.ts';
import { clientOf } from '../../support/trees/served.ts';
import { HOSTILE_VALUE, hostileRules } from '../../support/values/hostile-rules.ts';

describe.each(SERVERS)('$host.name', (server) => {
  const { isMissing, because } = needs(...server.needs);

  test.skipIf(isMissing)(`sends a configured header unchanged${because}`, async () => {
    const place = await serverTree(server, 'current', '', { precompressed: false });
    for (const [file, text] of server.host.files(hostileRules())) {
      mkdirSync(dirname(join(place.tree, file)), { recursive: true });
      writeFileSync(join(place.tree, file), text);
    }
    const { port } = await startServer(server, place);
    const { status, headers } = await clientOf(port).get('/sites');
    expect([status, headers['strict-transport-security']]).toEqual([200, HOSTILE_VALUE]);
  });
});
