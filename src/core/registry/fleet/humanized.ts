/** Sizes that are written twice, in bytes and for people (`humanized_ram_size: 512 GiB`): they must say the same. */
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import type { FleetNode, Implausible } from './fact.ts';

const PREFIX = 'humanized_';
const WORDS = /^(\d+(?:\.(\d+))?)\s*([KMGTP]?)i?B$/;
const POWERS: Readonly<Record<string, number>> = { '': 0, K: 1, M: 2, G: 3, T: 4, P: 5 };
/** Units are often taken for each other (GB for GiB): either may be meant. */
const BASES = [1000, 1024];
/** Of installed memory, which comes in modules, a system sees a few hundredths less. */
const MODULE = 4;
const SEEN_OF_INSTALLED = 0.97;

export interface OpenHumanized {
  readonly add: (member: FleetNode, body: JsonObject) => void;
  readonly close: () => readonly Implausible[];
}

export function openHumanized(): OpenHumanized {
  const facts = new Map<string, Implausible & { readonly members: FleetNode[] }>();
  const look = (member: FleetNode, value: Json, way: readonly string[]): void => {
    if (Array.isArray(value)) for (const item of value) look(member, item, way);
    if (!isJsonObject(value)) return;
    for (const [name, held] of Object.entries(value)) {
      const bytes = value[name.slice(PREFIX.length)];
      const text = name.startsWith(PREFIX) && typeof bytes === 'number' ? wordsOf(held) : undefined;
      if (text === undefined || isSame(text, Number(bytes))) look(member, held, [...way, name]);
      else {
        const field = [...way, name];
        const key = JSON.stringify([field, text, bytes]);
        const fact = facts.get(key) ?? {
          check: 'implausible',
          kind: 'implausible',
          problem: 'humanized',
          field,
          members: [],
          value: `${JSON.stringify(held)} beside ${bytes}`,
          isMeant: (other) => JSON.stringify(other) === JSON.stringify(held),
        };
        facts.set(key, fact);
        if (fact.members.at(-1) !== member) fact.members.push(member);
      }
    }
  };
  return { add: (member, body) => look(member, body, []), close: () => [...facts.values()] };
}

/** `192 GiB` of `192 GiB` and of `{ value: 192, unit: GiB }`; undefined where it is neither. */
function wordsOf(value: Json): string | undefined {
  const text = isJsonObject(value) ? `${value['value']} ${value['unit']}` : value;
  return typeof text === 'string' && WORDS.test(text) ? text : undefined;
}

function isSame(text: string, bytes: number): boolean {
  const [, said = '', decimals = '', letter = ''] = WORDS.exec(text) ?? [];
  const stated = Number(said);
  return BASES.some((base) => {
    const size = bytes / base ** (POWERS[letter] ?? 0);
    if (Math.abs(size - stated) < 10 ** -decimals.length) return true;
    return stated % MODULE === 0 && size < stated && size > stated * SEEN_OF_INSTALLED;
  });
}
