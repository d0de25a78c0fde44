/** Regular expressions over paths without prefix and suffix, in the common subset of PCRE, RE2 and ECMAScript. */
import type { HostRules, PathClass } from './rules.ts';

/** Matches the whole of any path of the classes. Shared beginnings are written once, so that it stays short. */
export function pathsPattern(classes: readonly PathClass[]): string {
  const root: Branch = { ends: false, below: new Map() };
  for (const template of classes.flatMap(({ templates }) => templates)) {
    let here = root;
    for (const segment of template === '/' ? [''] : template.slice(1).split('/')) {
      const next = here.below.get(segmentPattern(segment)) ?? { ends: false, below: new Map() };
      here.below.set(segmentPattern(segment), next);
      here = next;
    }
    here.ends = true;
  }
  return `^${branchPattern(root)}$`;
}

export function collectionsPattern({ classes }: HostRules): string {
  return pathsPattern(classes.filter(({ form }) => form === 'collection'));
}

export function immutablePattern({ classes }: HostRules): string {
  return pathsPattern(classes.filter(({ cache }) => cache === 'immutable'));
}

/** A text in which no character has a meaning for a regular expression. */
export function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

interface Branch {
  ends: boolean;
  readonly below: Map<string, Branch>;
}

function branchPattern({ ends, below }: Branch): string {
  if (below.size === 0) return '';
  const ways = [...below].map(([segment, branch]) => `/${segment}${branchPattern(branch)}`);
  const only = ways.length === 1 && !ends ? ways[0] : undefined;
  return only ?? `(?:${ways.join('|')})${ends ? '?' : ''}`;
}

function segmentPattern(segment: string): string {
  if (segment === '{version_id}') return '[0-9a-f]{40}';
  return segment.startsWith('{') ? '[^/]+' : literally(segment);
}
