import { visible } from './visible.ts';

const TITLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'label.cpu': 'CPU',
    'label.gpu': 'GPU',
    'label.ram': 'RAM',
    'label.disk': 'Disk',
    'label.network': 'Network',
    'architecture.smt_size': 'Threads',
    'architecture.smp_size': 'Sockets',
    'architecture.platform_type': 'Architecture',
    'gpu.gpu_count': 'GPUs',
    'placement.rack': 'Rack',
    node_name: 'Name',
    node_type: 'Type',
    site: 'Site',
    cluster: 'Cluster',
  }),
);
const FIELDS = new Map([...TITLES].map(([field, title]) => [title.toLowerCase(), field]));

export function fieldTitle(name: string): string {
  return TITLES.get(name) ?? visible(name);
}

/** Returns the name of the field with this title. Ignores upper and lower case. */
export function namedByTitle(title: string): string | undefined {
  return FIELDS.get(title.toLowerCase());
}
