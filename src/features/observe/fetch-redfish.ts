import { jsonOf } from '../../core/api/http-exchange.ts';
import { parseBase } from '../../core/client/parse-base.ts';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { isJsonObject, itemsIn, type Json, setOwn } from '../../core/model/json.ts';
import { DOCUMENT_BYTES } from '../../core/platform/limits.ts';
import { withoutTrailing } from '../../core/platform/text.ts';
import { httpClient } from '../../system/client/http-client.ts';

export interface RedfishLogin {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** The maximum time for a response, in seconds. */
  readonly timeout: number;
}

const ROOT = '/redfish/v1';
/** The maximum number of Redfish resources to fetch. A machine has a few hundred resources. */
const MOST_RESOURCES = 5000;
const CONNECTIONS = 4;

const FOLLOWED = new Set([
  ...['Systems', 'Chassis', 'Managers', 'UpdateService', 'FirmwareInventory', 'Members'],
  ...['Processors', 'Memory', 'Storage', 'Drives', 'EthernetInterfaces'],
  ...['NetworkAdapters', 'NetworkPorts', 'Ports', 'NetworkDeviceFunctions', 'PCIeDevices', 'PCIeFunctions'],
]);

/** Fetches Redfish resources by path. Skips links to missing resources, and reports other failures. */
export async function fetchRedfish(base: string, login: RedfishLogin): Promise<Json> {
  const { origin } = parseBase(base);
  const client = httpClient({
    base: origin,
    rate: 0,
    timeoutMs: login.timeout * 1000,
    connections: CONNECTIONS,
    largestBody: DOCUMENT_BYTES / 8,
  });
  const headers = {
    Accept: 'application/json',
    // Without this header, a service may compress its answers (RFC 9110, section 12.5.3).
    'Accept-Encoding': 'identity',
    'OData-Version': '4.0',
    ...authorization(base, login),
  };
  const resources: Record<string, Json> = {};
  let bytes = 0;
  const fetchOne = async (path: string): Promise<string[]> => {
    const asked = path === ROOT ? `${ROOT}/` : path;
    const response = await client.send({ path: asked, headers });
    if ([404, 410].includes(response.status) && path !== ROOT) return [];
    const url = origin + asked;
    if (response.status !== 200) return fail(finding('redfish-status', { url, status: response.status }));
    bytes += response.body.length;
    const resource = bytes > DOCUMENT_BYTES ? undefined : jsonOf(response);
    if (!isJsonObject(resource)) return fail(finding('observe-json', {}, { file: url }));
    setOwn(resources, path, resource);
    return linksIn(resource, url);
  };
  try {
    const seen = new Set([ROOT]);
    const next = [ROOT];
    while (next.length > 0) {
      const found = await Promise.all(next.splice(0, CONNECTIONS).map(fetchOne));
      for (const path of found.flat()) {
        if (seen.has(path)) continue;
        seen.add(path);
        next.push(path);
      }
      if (seen.size > MOST_RESOURCES) fail(finding('redfish-too-many', { url: base, most: MOST_RESOURCES }));
    }
    return resources;
  } finally {
    client.close();
  }
}

/** The link from one page of a long collection to the next page (DSP0266, section "Resource collections"). */
const NEXT_PAGE = 'Members@odata.nextLink';

/** Returns the paths of links in the resource at `url`. Omits links that lead outside of the Redfish root. */
function linksIn(resource: Json, url: string): string[] {
  if (!isJsonObject(resource)) return [];
  return Object.entries(resource).flatMap(([name, value]) => {
    if (!FOLLOWED.has(name) && name !== NEXT_PAGE) return [];
    const links = Array.isArray(value) ? itemsIn(value) : [value];
    return links.flatMap((link) => {
      const id = isJsonObject(link) ? link['@odata.id'] : name === NEXT_PAGE ? link : undefined;
      const path = typeof id === 'string' ? pathOfLink(id, url) : '';
      return path.startsWith(`${ROOT}/`) ? [withoutTrailing(path, '/')] : [];
    });
  });
}

/** A link can be relative or absolute. A service can know itself by another host name, so the host is ignored. */
function pathOfLink(link: string, url: string): string {
  if (!URL.canParse(link, url)) return '';
  const { pathname, search } = new URL(link, url);
  return pathname + search;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function authorization(base: string, { user, password }: RedfishLogin): { Authorization?: string } {
  if (user === undefined) return {};
  const { protocol, hostname } = parseBase(base);
  if (protocol !== 'https:' && !LOOPBACK.test(hostname)) fail(finding('redfish-password', { url: base }));
  if (password === undefined) return fail(finding('redfish-password', { url: undefined }));
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}
