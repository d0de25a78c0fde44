/** Merges a machine from a report into the body of a node. Fields that the report does not contain stay unchanged. */
import { isJsonObject, type JsonObject, objectsIn } from '../model/json.ts';
import { type Machine, PART_LISTS, type Readings, type WeakReason } from './format.ts';
import { fieldOf, lastPart, mergeFields, newValue, withField, without } from './merge-fields.ts';
import { mergeParts } from './merge-parts.ts';
import { GPU_FIELDS } from './observe-machine.ts';
import { isEmptyValue, isOtherProcessor } from './same-meaning.ts';

export interface Merged {
  readonly body: JsonObject;
  /** The reasons why the merge wrote substitute values instead of exact values. */
  readonly substitutes: ReadonlySet<WeakReason>;
  /** The memory sizes in the registry and in the report, in bytes. Set if the difference exceeds `MEMORY_TOLERANCE`. */
  readonly otherMemory?: { readonly stated: number; readonly reported: number } | undefined;
}

/** A substitute memory size is reported if it differs by more than this fraction from the size in the registry. */
const MEMORY_TOLERANCE = 0.1;
const RAM_FIELD = 'main_memory.ram_size';

export function mergeMachine(body: JsonObject, machine: Machine): Merged {
  const substitutes = new Set<WeakReason>();
  const { node, omitsVolumes } = machine;
  let merged = mergeFields(
    withoutOldGpu(withoutOldDate(withoutOldProcessor(body, node), node), node),
    node,
    substitutes,
  );
  if (fieldOf(merged, 'gpu.gpu') === false && isJsonObject(merged['gpu']))
    merged = { ...merged, gpu: without(merged['gpu'], [...GPU_FIELDS.slice(1), 'gpu.gpu_name'].map(lastPart)) };
  for (const list of PART_LISTS) {
    const observed = machine[list];
    // An empty list usually means that a driver is missing, not that the machine has no disks.
    if (!observed || observed.length === 0) continue;
    const before = objectsIn(body[list]);
    const isComplete = machine.completeLists.includes(list);
    merged = { ...merged, [list]: mergeParts(list, before, observed, { isComplete, omitsVolumes, substitutes }) };
  }
  const ram = fieldOf(merged, RAM_FIELD);
  if (typeof ram === 'number' && ram !== fieldOf(body, RAM_FIELD))
    merged = withField(merged, 'main_memory.humanized_ram_size', `${Number((ram / 2 ** 30).toFixed(2))} GiB`);
  return { body: merged, substitutes, otherMemory: otherMemoryOf(body, node) };
}

/** The fields that describe one processor model. The values do not apply to another model. */
const OF_ONE_PROCESSOR = [
  ...['vendor', 'version', 'other_description', 'microarchitecture', 'microcode'],
  ...['clock_speed', 'cache_l1', 'cache_l1d', 'cache_l1i', 'cache_l2', 'cache_l3'],
];

function withoutOldProcessor(body: JsonObject, readings: Readings): JsonObject {
  const { processor } = body;
  const field = 'processor.model';
  if (!isJsonObject(processor) || isEmptyValue(processor['model'])) return body;
  const model = newValue(field, body, readings[field]);
  return typeof model === 'string' && isOtherProcessor(processor, model)
    ? { ...body, processor: without(processor, OF_ONE_PROCESSOR) }
    : body;
}

/** The release date does not apply to another version of the BIOS. */
function withoutOldDate(body: JsonObject, readings: Readings): JsonObject {
  const { bios } = body;
  if (!isJsonObject(bios) || isEmptyValue(bios['version']) || readings['bios.release_date'] !== undefined) return body;
  const version = newValue('bios.version', body, readings['bios.version']);
  return version === undefined ? body : { ...body, bios: without(bios, ['release_date']) };
}

/** The model does not apply to GPUs of another vendor. */
function withoutOldGpu(body: JsonObject, readings: Readings): JsonObject {
  const { gpu } = body;
  if (!isJsonObject(gpu) || isEmptyValue(gpu['gpu_vendor'])) return body;
  const vendor = newValue('gpu.gpu_vendor', body, readings['gpu.gpu_vendor']);
  return vendor === undefined ? body : { ...body, gpu: without(gpu, ['gpu_model', 'gpu_name']) };
}

function otherMemoryOf(body: JsonObject, node: Readings): Merged['otherMemory'] {
  const [stated, reading] = [fieldOf(body, RAM_FIELD), node[RAM_FIELD]];
  const reported = typeof reading === 'object' ? reading.weak : undefined;
  if (typeof stated !== 'number' || typeof reported !== 'number' || stated === 0) return undefined;
  return Math.abs(stated - reported) > stated * MEMORY_TOLERANCE ? { stated, reported } : undefined;
}
