/**
 * The web catalog of a testbed, rebuilt from its source: its requests, the fields that it reads, its filters and
 * counts. It ignores links, versions and other documents.
 */

/** The fields of a node that it requires. It shows other fields if they exist. */
export interface CatalogueNode {
  readonly uid: string;
  /** It groups nodes by type, and calls text methods on the type. */
  readonly node_type: string;
  readonly site_id: string;
  readonly cluster_id: string;
  readonly availability: string;
  readonly node_name?: string | null;
  readonly infiniband?: unknown;
  readonly gpu?: { readonly gpu?: boolean; readonly gpu_model?: string | null } | null;
  readonly architecture?: { readonly platform_type?: string | null } | null;
  readonly main_memory?: { readonly ram_size?: number | null } | null;
  readonly storage_devices?:
    | readonly {
        readonly driver?: string | null;
        readonly interface?: string | null;
        readonly device?: string | null;
      }[]
    | null;
  readonly placement?: { readonly rack?: string | number | null } | null;
}

/** The fields of a flavor, which it reads without checks. */
export interface CatalogueFlavor {
  readonly uid: string;
  readonly name: string;
  readonly gpu: { readonly gpu: boolean };
}

export interface Catalogue {
  readonly sites: readonly string[];
  readonly nodes: readonly CatalogueNode[];
  /** Flavors by site and name, flavors without GPUs first. */
  readonly flavors: readonly string[];
  /** The total that the service reports. */
  readonly total: number;
}

/** The filters that it sends, because its original service filters too. */
export interface SentFilters {
  readonly gpu?: boolean;
  readonly infiniband?: boolean;
  readonly min_ram?: number;
}

/** Requests everything before the first view. Throws where the catalog would show an error. */
export async function openCatalogue(base: string, asked: SentFilters = {}): Promise<Catalogue> {
  const sites = await getJson<{ uid: string }>(base, '/sites?limit=500');
  const { nodes, total } = await foundNodes(base, asked);
  const uids = sites.items.map(({ uid }) => uid);
  const flavors: string[] = [];
  for (const uid of uids) {
    // The catalog works without this document.
    await getJson(base, `/sites/${uid}/availability`).catch(() => undefined);
    const { items } = await getJson<CatalogueFlavor>(base, `/sites/${uid}/flavors?limit=500`);
    items.sort((a, b) => Number(a.gpu.gpu) - Number(b.gpu.gpu) || a.name.localeCompare(b.name));
    flavors.push(...items.map(({ name }) => `${uid}::${name}`));
  }
  return { sites: uids, nodes, total, flavors };
}

/** Requests more pages while nodes are missing from the reported total. */
async function foundNodes(base: string, asked: SentFilters): Promise<{ nodes: CatalogueNode[]; total: number }> {
  const sent = Object.entries(asked).map(([name, value]): [string, string] => [name, String(value)]);
  const nodes: CatalogueNode[] = [];
  for (;;) {
    const parameters = new URLSearchParams([...sent, ['limit', '500'], ['offset', String(nodes.length)]]);
    const { total, items } = await getJson<CatalogueNode>(base, `/nodes/search?${parameters}`);
    nodes.push(...items);
    if (items.length === 0 || nodes.length >= total) return { nodes, total };
  }
}

async function getJson<T>(base: string, path: string): Promise<{ total: number; items: T[] }> {
  const response = await fetch(`${base}${path}`, { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`API ${response.status}: ${path}`);
  return JSON.parse(await response.text());
}

/** The user's filters. An unset or unknown filter removes no node. */
export interface Choice {
  readonly sites?: readonly string[];
  readonly hasGpu?: boolean;
  readonly gpuModels?: readonly string[];
  readonly platform?: string;
  readonly leastRam?: number;
  readonly infiniband?: boolean;
  readonly nvme?: boolean;
  readonly racks?: readonly string[];
  readonly text?: string;
}

export function chosen(nodes: readonly CatalogueNode[], choice: Choice): CatalogueNode[] {
  const { sites, hasGpu, gpuModels, platform, leastRam, infiniband, nvme, racks, text } = choice;
  return nodes.filter(
    (node) =>
      isOneOf(sites, node.site_id) &&
      (hasGpu === undefined || (node.gpu?.gpu ?? false) === hasGpu) &&
      isOneOf(gpuModels, node.gpu?.gpu_model ?? '') &&
      (platform === undefined || node.architecture?.platform_type === platform) &&
      (leastRam === undefined || (node.main_memory?.ram_size ?? 0) >= leastRam) &&
      (infiniband !== true || Boolean(node.infiniband)) &&
      (nvme !== true || hasNvme(node)) &&
      isOneOf(racks, String(node.placement?.rack ?? '')) &&
      (text === undefined || mentions(node, text.trim().toLowerCase())),
  );
}

function isOneOf(chosenValues: readonly string[] | undefined, value: string): boolean {
  return chosenValues === undefined || chosenValues.length === 0 || chosenValues.includes(value);
}

function hasNvme({ storage_devices: disks }: CatalogueNode): boolean {
  return (disks ?? []).some(
    ({ driver, interface: plug, device }) =>
      driver?.toLowerCase() === 'nvme' ||
      plug?.toLowerCase().includes('nvme') ||
      device?.toLowerCase().startsWith('nvme'),
  );
}

function mentions(node: CatalogueNode, text: string): boolean {
  const said = [node.uid, node.node_type, node.site_id, node.cluster_id].map((each) => each.toLowerCase());
  const more = [node.node_name, node.gpu?.gpu_model, node.architecture?.platform_type];
  return [...said, ...more.map((each) => each?.toLowerCase())].some((each) => each?.includes(text));
}

/** Its cards: the number of nodes of each type at each site. */
export function cards(nodes: readonly CatalogueNode[]): Map<string, number> {
  const counts = new Map<string, number>();
  const sorted = [...nodes].sort((a, b) => a.node_type.localeCompare(b.node_type));
  for (const { site_id: site, node_type: type } of sorted)
    counts.set(`${site}::${type}`, (counts.get(`${site}::${type}`) ?? 0) + 1);
  return counts;
}
