/** Reads JSON from scontrol or slurmrestd. Slurm reports the configured hardware, not the detected hardware. */
import { fail, finding } from '../../diagnostics/finding.ts';
import { isJsonObject, itemsIn, type Json } from '../../model/json.ts';
import { common, type Format, type Reading, weak } from '../format.ts';
import { first, number, numberAt, text, textAt, textOf, valueAt } from '../read-values.ts';

const MIB = 2 ** 20;
/** Without a topology in slurm.conf, Slurm counts each thread as a socket. */
const MOST_SOCKETS = 16;

export const slurm: Format = {
  name: 'slurm',
  recognises: (report) =>
    isJsonObject(report) &&
    Array.isArray(report['nodes']) &&
    itemsIn(report['nodes']).every((node) => isJsonObject(node) && 'real_memory' in node && 'sockets' in node),
  machines: (report) => itemsIn(valueAt(report, 'nodes')),
  names: [first(existingName, text('hostname'))],
  node: {
    'architecture.platform_type': text('architecture'),
    // Slurm can count NUMA nodes as sockets, and can use one thread of each core only.
    'architecture.smp_size': (node) => weak(topologyOf(node)?.sockets),
    'architecture.smt_size': (node) => weak(topologyOf(node)?.threads ?? numberAt(node, 'cpus')),
    'processor.instruction_set': text('architecture'),
    // 1 MiB is the default of slurm.conf.
    'main_memory.ram_size': (node) =>
      numberAt(node, 'real_memory') === 1 ? undefined : weak(number('real_memory', MIB)(node), 'configured'),
    'gpu.gpu': (node) => (gpusIn(node).length > 0 ? true : undefined),
    'gpu.gpu_count': gpuCount,
    'gpu.gpu_model': (node) =>
      gpuCount(node) === undefined ? undefined : weak(common(gpusIn(node).map(({ type }) => type))),
  },
};

/** Fails for cloud nodes, because Slurm lists cloud nodes that may not exist. */
function existingName(node: Json): string | undefined {
  const name = textAt(node, 'name');
  // Older versions of Slurm write the state as text, and flags in another field.
  const given = ['state', 'state_flags'].map((field) => valueAt(node, field));
  const states = given.flatMap((state) => (typeof state === 'string' ? state.split(/[+*]/) : itemsIn(state)));
  for (const each of states) {
    const state = textOf(each, 'state') ?? '';
    if (/^(CLOUD|FUTURE|DYNAMIC_NORM|DYNAMIC_FUTURE)$/i.test(state))
      fail(finding('observe-no-machine', { name: name ?? 'a node', state }));
  }
  return name;
}

function topologyOf(node: Json): { readonly sockets: number; readonly threads: number } | undefined {
  const [sockets = 0, cores = 0, threads = 0] = ['sockets', 'cores', 'threads'].map((field) => numberAt(node, field));
  return sockets > MOST_SOCKETS || sockets * cores * threads === 0
    ? undefined
    : { sockets, threads: sockets * cores * threads };
}

interface SlurmGpu {
  /** The site's own name for the GPU type. */
  readonly type: string | undefined;
  readonly count: number;
}

/** Reads GPUs from texts such as `gpu:a100:2(S:0-1),nvme:1`. */
function gpusIn(node: Json): SlurmGpu[] {
  const gres = textAt(node, 'gres') ?? '';
  return gres
    .replace(/\([^()]*\)/g, '')
    .split(',')
    .flatMap((item) => {
      const [whole, type, count] = /^gpu(?::([^:]+))?(?::(\d+))?$/.exec(item.trim()) ?? [];
      if (whole === undefined) return [];
      // `gpu:4` has no type.
      return /^\d+$/.test(type ?? '')
        ? [{ type: undefined, count: Number(type) }]
        : [{ type, count: Number(count ?? 1) }];
    })
    .filter(({ count }) => count > 0);
}

/** An instance of a partitioned GPU, such as `1g.10gb` or `a100_1g.5gb`, does not count as a GPU. */
function gpuCount(node: Json): Reading {
  const gpus = gpusIn(node);
  if (gpus.some(({ type }) => /(^|_)\d+g\.\d+gb/.test(type ?? ''))) return undefined;
  return gpus.reduce((sum, { count }) => sum + count, 0) || undefined;
}
