/**
 * What a processor is called: `Intel(R) Xeon(R) Gold 6240R CPU @ 2.40GHz` is a `Xeon Gold 6240R`, whether the model says so or only
 * the description beside it.
 */
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';

/** What a description says, and the name of the processor in it; the first that fits. */
const RULES: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [/\bXeon (?:CPU )?(Platinum|Gold|Silver|Bronze|Max) (\d{4}\w*\+?)/, ([, line, number]) => `Xeon ${line} ${number}`],
  [
    /\bXeon (?:CPU )?((?:E[357]-|[DEW]-|w\d-)?[A-Z]?\d{4}\w*)(?: (v\d))?/,
    ([, number, version]) => ['Xeon', number, version].filter(Boolean).join(' '),
  ],
  [/\bEPYC (\d\w{2,4})/, ([, number]) => `EPYC ${number}`],
  [/\bOpteron (?:CPU )?(\d{3,4}\w*)/, ([, number]) => `Opteron ${number}`],
  [/\b(Core|Ryzen|Atom|Threadripper) (?:CPU )?((?:\w+ )?[\w-]*\d{3,5}\w*)/, ([, line, number]) => `${line} ${number}`],
  [/\bThunderX2\b.{0,80}?\b(CN\d{4})/, ([, number]) => `ThunderX2 ${number}`],
  [/\bA64FX\b|\b461F0010\b/, () => 'A64FX'],
  [/\bAltra (?:Max )?([QM]\d+-\d+)/, ([, number]) => `Altra ${number}`],
  [/\bPOWER ?(\d+\w*)/i, ([, generation]) => `POWER${generation}`],
  [/\b(Neoverse)[ -](\w\d)/, ([, line, number]) => `${line} ${number}`],
  [/\bX-Gene\b(?: (\d))?/, ([, generation]) => ['X-Gene', generation].filter(Boolean).join(' ')],
];

/** Marks, and words that say nothing. */
const MARKS = /\((?:R|TM|C)\)|[®™]|\bProcessor\b/gi;

export const CPU_FIELDS = ['model', 'other_description', 'version'] as const;

/** How a node names its processors: by the model, or by what stands beside one that names a whole family. */
export function cpuNames(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(cpuNames);
  if (!isJsonObject(value)) return [];
  const [model, description, version] = CPU_FIELDS.map((name) => textIn(value, name));
  if (model !== undefined && /\d/.test(model)) return [model];
  if (description !== undefined) return [description];
  if (model === undefined) return [];
  const isNumber = version !== undefined && /\d/.test(version) && !/^Model\b/.test(version);
  return [isNumber ? `${model} ${version}` : model];
}

function textIn(value: JsonObject, name: string): string | undefined {
  const text = Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

/** The processor that a name means; undefined for one of which no rule knows. */
export function cpuModel(name: string): string | undefined {
  const plain = name.replace(MARKS, '').replace(/\s+/g, ' ');
  for (const [pattern, told] of RULES) {
    const found = pattern.exec(plain);
    if (found) return told(found);
  }
  return undefined;
}
