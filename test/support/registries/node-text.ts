/** Checks of the minimal registry with a node that is written in some other way, and what they say. */
import { NODE, NODE_UID, registryOf } from './registry.ts';

export const START = `type: node\nuid: ${NODE_UID}\n`;

/** What a check says of a registry whose node has some text more. */
export function told(text: string | Uint8Array): string {
  return registryOf({ [NODE]: typeof text === 'string' ? START + text : text }).findings();
}

/** The message about a line: where, what, the frame, what to do. */
export function message(where: string, what: string, frame: string, fix: string): string {
  return `registry-data/${NODE}:${where}: error: ${what}\n${frame.replace(/^\n/, '')}\n  ${fix}\n`;
}

export const MEND = 'Mend the syntax at the mark, or just before it.';
