/** The labels, and the fields from which they are computed. */

export const CPU_FIELDS = ['model', 'other_description', 'version'] as const;
export const GPU_FIELDS = ['gpu_model', 'gpu_name', 'model'] as const;

export type LabelName = 'gpu' | 'cpu' | 'ram' | 'disk' | 'network';

export interface LabelInfo {
  readonly name: LabelName;
  /** Top-level fields, in order. The label is computed from the first of these fields that the node has. */
  readonly fields: readonly string[];
  /** The names of the subfields that contain the spellings, at any depth. The most common name is first. */
  readonly readFrom: readonly [string, ...string[]];
  readonly description: string;
}

export const LABELS: readonly LabelInfo[] = [
  {
    name: 'gpu',
    fields: ['gpu', 'gpu_devices'],
    readFrom: GPU_FIELDS,
    description: 'The model of the GPUs, without maker, form and memory.',
  },
  {
    name: 'cpu',
    fields: ['processor'],
    readFrom: CPU_FIELDS,
    description: 'The model of the processors, without maker and clock speed.',
  },
  {
    name: 'ram',
    fields: ['main_memory'],
    readFrom: ['ram_size'],
    description: 'The size of the memory as it is sold.',
  },
  {
    name: 'disk',
    fields: ['storage_devices'],
    readFrom: ['size'],
    description: 'The size of all disks together, each as it is sold.',
  },
  {
    name: 'network',
    fields: ['network_adapters'],
    readFrom: ['rate', 'enabled', 'management'],
    description: 'The rate of the fastest network adapter that is in use.',
  },
];

export const LABEL_NAMES: readonly LabelName[] = LABELS.map(({ name }) => name);

export function isLabelSource(path: readonly string[]): boolean {
  const [top = ''] = path;
  return LABELS.some(({ fields, readFrom }) => fields.includes(top) && readFrom.includes(path.at(-1) ?? ''));
}
