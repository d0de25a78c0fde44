/**
 * What a GPU is called, whichever tool has written it down: `GA100 [A100 PCIe 80GB]`, `Tesla V100-SXM2-32GB` and `NVIDIA
 * A100` are a chip with a name in brackets, names with a form and a memory size, and names with a maker. What is left
 * is the model.
 */
import { isJsonObject, type Json } from '../model/json.ts';

/** Names by which a node tells that it has a GPU, the best first. */
export const GPU_FIELDS = ['gpu_model', 'gpu_name', 'model'] as const;

const IN_BRACKETS = /\[([^[\]]+)\]/;
/** Who makes it, for what, in which form, with how much memory. */
const PASSED_OVER = new RegExp(
  `^(${[
    ...['nvidia', 'amd', 'ati', 'intel', 'corporation', 'corp\\.?', 'inc\\.?', 'tesla', 'instinct'],
    ...['data', 'center', 'gpu', 'accelerator', 'pcie', 'sxm\\d?', 'nvl', 'oam', 'hbm\\w*', '\\d+(gb|gib)'],
  ].join('|')})$`,
  'i',
);
/** `A100`, `MI250X`, `L40S`; and the families whose names have several words. */
const MODEL = /^([A-Z]{1,3}\d{1,4}[A-Za-z]{0,2}|(Quadro|GeForce|Radeon|TITAN|Titan|RTX|GTX|Max|Flex|Arc) \S.*)$/;

export function gpuNames(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(gpuNames);
  if (!isJsonObject(value)) return [];
  const name = GPU_FIELDS.map((field) => (Object.hasOwn(value, field) ? value[field] : undefined)).find(
    (said) => typeof said === 'string' && said.trim() !== '',
  );
  if (typeof name === 'string') return [name];
  return Object.values(value).flatMap((device) => (isJsonObject(device) ? gpuNames(device) : []));
}

/** The model that a name means; undefined for one of which no rule knows. */
export function gpuModel(name: string): string | undefined {
  const [, marketed = name] = IN_BRACKETS.exec(name) ?? [];
  const words = marketed
    .replace(/\bRadeon (?=Instinct\b)/, '')
    .replace(/\bPCI-E\b/, '')
    .split(/[\s-]+/)
    .filter((word) => word !== '' && !PASSED_OVER.test(word));
  const model = words.join(' ');
  return MODEL.test(model) ? model : undefined;
}
