/** Checks the minimal registry with another text of its node. */
import { NODE, NODE_UID, registryOf } from './registry.ts';

export const START = `type: node\nuid: ${NODE_UID}\n`;

/** Returns the findings of a registry whose node has additional text. */
export function checkOutput(text: string | Uint8Array): string {
  return registryOf({ [NODE]: typeof text === 'string' ? START + text : text }).findings();
}

/** The message about a line: place, problem, frame, remedy. */
export function message(where: string, what: string, frame: string, fix: string): string {
  return `registry-data/${NODE}:${where}: error: ${what}\n${frame.replace(/^\n/, '')}\n  ${fix}\n`;
}

export const MEND = 'Correct the syntax at the mark, or just before it.';
