/** Where something stands in a YAML text: looked up only once there is something to say about it. */
import type { Document, Pair, YAMLMap } from 'yaml';
import { type Place, placeAt } from '../../diagnostics/finding.ts';
import { yaml } from '../../platform/modules.ts';
import { blockOffset } from './block-positions.ts';
import { parseDocuments } from './parse-documents.ts';

/** A text that is parsed once, when something in it is first asked for. */
export interface Positions {
  /** Where the value, or the key, at a path stands: the nearest thing above it when it is not there. */
  readonly locate: (path: readonly PropertyKey[], what?: 'key' | 'value') => Place;
  /** The text of a plain scalar at a path; undefined when it is quoted, or no scalar. */
  readonly plainTextAt: (path: readonly PropertyKey[]) => string | undefined;
}

export function positionsIn(file: string, text: string): Positions {
  let parsed: Lookup | undefined;
  const lookup = () => {
    parsed ??= lookupIn(parseDocuments(text)[0]);
    return parsed;
  };
  return {
    locate: (path, what = 'value') => {
      const offset = what === 'value' ? (topFieldOffset(text, path) ?? blockOffset(text, path)) : undefined;
      return placeAt(file, text, offset ?? lookup().offsetOf(path, what));
    },
    plainTextAt: (path) => {
      const node = lookup().nodeAt(path);
      return yaml().isScalar(node) && node.type === 'PLAIN' ? node.source : undefined;
    },
  };
}

export function locate(file: string, text: string, path: readonly PropertyKey[]): Place {
  return positionsIn(file, text).locate(path);
}

/** Where the scalar of a field at the top stands, when it is plain to see: a thousand findings need no parser. */
function topFieldOffset(text: string, [field, ...rest]: readonly PropertyKey[]): number | undefined {
  if (typeof field !== 'string' || !/^[a-z_]+$/.test(field) || rest.length > 0) return undefined;
  const line = new RegExp(`^${field}: +(?=[^\\s#&*!|>])`, 'm').exec(text);
  return line ? line.index + line[0].length : undefined;
}

interface Lookup {
  readonly nodeAt: (path: readonly PropertyKey[]) => unknown;
  readonly offsetOf: (path: readonly PropertyKey[], what: 'key' | 'value') => number;
}

function lookupIn(document: Document | undefined): Lookup {
  const { isMap, isNode, isScalar, isSeq } = yaml();
  const pairs = new Map<YAMLMap, ReadonlyMap<string, Pair>>();
  const pairsOf = (map: YAMLMap) => {
    const known = pairs.get(map);
    if (known) return known;
    // Nothing else can be a field; and the text of a mapping grows twofold with each one that stands in the place of a key.
    const byKey = new Map(
      map.items.toReversed().flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair] as const] : [])),
    );
    pairs.set(map, byKey);
    return byKey;
  };
  const root: unknown = document?.contents;
  const step = (here: unknown, key: PropertyKey): { readonly pair?: Pair | undefined; readonly next: unknown } => {
    const pair = isMap(here) ? pairsOf(here).get(String(key)) : undefined;
    return { pair, next: pair ? pair.value : isSeq(here) ? here.items[Number(key)] : undefined };
  };

  return {
    nodeAt: (path) => path.reduce((here: unknown, key) => step(here, key).next, root),
    offsetOf: (path, what) => {
      let here = root;
      let offset = isNode(here) ? (here.range?.[0] ?? 0) : 0;
      for (const [depth, key] of path.entries()) {
        const { pair, next } = step(here, key);
        const target = pair && what === 'key' && depth === path.length - 1 ? pair.key : next;
        if (isNode(target) && target.range) offset = target.range[0];
        else if (pair && isNode(pair.key) && pair.key.range) offset = pair.key.range[0];
        else break;
        here = next;
      }
      return offset;
    },
  };
}
