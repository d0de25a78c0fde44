/**
 * The web catalogue of a testbed, as its source has it: which requests it makes, what it takes from the answers, and how it
 * filters and counts by itself. It knows nothing of links, versions, or of our other documents.
 */

/** What it reads of a node. Of the rest it shows what there is. */
export interface CatalogueNode {
  readonly uid: string;
  /** It lists nodes by their types, and calls methods of texts on them. */
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

/** What it reads of a size of virtual machine, without asking whether it is there. */
export interface CatalogueFlavor {
  readonly uid: string;
  readonly name: string;
  readonly gpu: { readonly gpu: boolean };
}

export interface Catalogue {
  readonly sites: readonly string[];
  readonly nodes: readonly CatalogueNode[];
  /** By site and name, those without GPUs first. */
  readonly flavors: readonly string[];
  /** What the service says there are. */
  readonly total: number;
}

/** The filters that it sends along, since the service that it was written for filters too. */
export interface Asked {
  readonly gpu?: boolean;
  readonly infiniband?: boolean;
  readonly min_ram?: number;
}

/** Everything that it asks before it shows the first node. Ends with an error where it would show one. */
export async function openCatalogue(base: string, asked: Asked = {}): Promise<Catalogue> {
  const sites = await answerTo<{ uid: string }>(base, '/sites?limit=500');
  const { nodes, total } = await foundNodes(base, asked);
  const uids = sites.items.map(({ uid }) => uid);
  const flavors: string[] = [];
  for (const uid of uids) {
    // It knows when a site was last asked for reservations, or does without.
    await answerTo(base, `/sites/${uid}/availability`).catch(() => undefined);
    const { items } = await answerTo<CatalogueFlavor>(base, `/sites/${uid}/flavors?limit=500`);
    items.sort((a, b) => Number(a.gpu.gpu) - Number(b.gpu.gpu) || a.name.localeCompare(b.name));
    flavors.push(...items.map(({ name }) => `${uid}::${name}`));
  }
  return { sites: uids, nodes, total, flavors };
}

/** Asks for more as long as there are fewer than the service says. */
async function foundNodes(base: string, asked: Asked): Promise<{ nodes: CatalogueNode[]; total: number }> {
  const sent = Object.entries(asked).map(([name, value]): [string, string] => [name, String(value)]);
  const nodes: CatalogueNode[] = [];
  for (;;) {
    const parameters = new URLSearchParams([...sent, ['limit', '500'], ['offset', String(nodes.length)]]);
    const { total, items } = await answerTo<CatalogueNode>(base, `/nodes/search?${parameters}`);
    nodes.push(...items);
    if (items.length === 0 || nodes.length >= total) return { nodes, total };
  }
}

async function answerTo<T>(base: string, path: string): Promise<{ total: number; items: T[] }> {
  const response = await fetch(`${base}${path}`, { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`API ${response.status}: ${path}`);
  return JSON.parse(await response.text());
}

/** What users choose beside its list. A choice that is not made takes no node away, nor does one of nothing. */
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

/** Its cards: how many nodes of each type there are at each site. */
export function cards(nodes: readonly CatalogueNode[]): Map<string, number> {
  const counts = new Map<string, number>();
  const sorted = [...nodes].sort((a, b) => a.node_type.localeCompare(b.node_type));
  for (const { site_id: site, node_type: type } of sorted)
    counts.set(`${site}::${type}`, (counts.get(`${site}::${type}`) ?? 0) + 1);
  return counts;
}
