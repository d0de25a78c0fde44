/** Three recorded revisions of a small registry, for tests that alter their files. */
import { expect } from 'vitest';
import { NODE, NODE_UID, registryOf } from './registry.ts';

export const START = `type: node\nuid: ${NODE_UID}\n`;
export const NODE_PATH = NODE.slice(0, -'.yaml'.length);

/** The minimal registry, then two disks, then one disk renamed and the other removed. */
export function recorded() {
  const given = registryOf();
  const first = given.record('First');
  given.write({
    [NODE]: `${START}node_name: lyra-1\nstorage_devices:\n  - {device: sda, serial: A1}\n  - {device: sdb, serial: B1}\n`,
  });
  const second = given.record('Disks');
  given.write({ [NODE]: `${START}node_name: lyra-2\nstorage_devices:\n  - {device: sda, serial: A2}\n` });
  const third = given.record('Fewer');
  return { given, first, second, third };
}

/** Returns the findings of a check after an alteration of a revision file. */
export function altered(which: 'first' | 'second' | 'third', from: string | RegExp, to: string) {
  const all = recorded();
  const { file } = all[which];
  const text = all.given.read(file);
  expect(text.replace(from, to)).not.toBe(text);
  all.given.write({ [file]: text.replace(from, to) });
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? '';
  return { ...all, told: all.given.findings(), state: field('state'), contents: field('contents') };
}
