import { findField } from '../../core/query/columns.ts';
import { capitalized, valueText, visible } from '../parts/value.tsx';
import type { BodyField } from './comparison.ts';
import { fieldTitle } from './field-titles.ts';
import type { Fleet } from './fleet.ts';

/** The cards that describe a node, with their top-level fields. The last card contains all remaining fields. */
export const CARDS = [
  { title: 'CPU', fields: ['processor', 'architecture'] },
  { title: 'Memory', fields: ['main_memory', 'memory_devices'] },
  { title: 'GPU', fields: ['gpu', 'gpu_devices'] },
  { title: 'Disks', fields: ['storage_devices'] },
  { title: 'Network', fields: ['network_adapters', 'infiniband'] },
  { title: 'Machine', fields: [] },
] as const;

export type CardTitle = (typeof CARDS)[number]['title'];

type FieldOfBody = Pick<BodyField, 'name' | 'label' | 'class'>;

/** The fields that come first in their card, in this order. */
const FIRST = ['processor.model', 'architecture.smp_size', 'architecture.smt_size', 'gpu.gpu_model'];

export function cardsOf<Field extends FieldOfBody>(fields: readonly Field[]) {
  const titleOf = ({ name }: Field): CardTitle =>
    CARDS.find((card) => card.fields.some((top) => name === top || name.startsWith(`${top}.`)))?.title ?? 'Machine';
  const rank = ({ name }: Field) => (FIRST.indexOf(name) + FIRST.length + 1) % (FIRST.length + 1);
  return CARDS.map(({ title }) => ({
    title,
    fields: fields.filter((field) => titleOf(field) === title).sort((a, b) => rank(a) - rank(b)),
  })).filter((card) => card.fields.length > 0);
}

/** Matches the start of a label that names an array item, such as `storage_devices[sda].` for the disk sda. */
export const ITEM = /^([^[\]]+)\[([^\]]*)\]\./;

const PARTS: ReadonlyMap<string, string> = new Map([
  ['storage_devices', 'Disk'],
  ['network_adapters', 'Adapter'],
  ['memory_devices', 'Module'],
]);

/** Returns the title of an array's items, such as `Disk` for `storage_devices`. */
export function partTitle(array: string): string {
  return PARTS.get(array) ?? capitalized(words(array));
}

/** Matches the first part of a field name if the card title replaces it, such as `processor.` on the card “CPU”. */
const IMPLIED = /^(?:processor|architecture|main_memory|gpu|chassis)\./;

/** Matches the first part of a field name if the second part repeats it, such as `gpu.` in `gpu.gpu_model`. */
const REPEATED = /^(\w+)\.(?=\1_)/;

/** Returns words for a field, such as `Disk sda model` for `storage_devices[sda].model`. */
export function fieldWords({ name, label, class: about }: FieldOfBody): string {
  if (name === 'node_type') return 'Node type';
  const title = fieldTitle(name);
  if (title !== visible(name)) return title;
  const [start, array, item] = ITEM.exec(label) ?? [];
  if (start !== undefined && array !== undefined)
    return `${partTitle(array)} ${visible(item ?? '')} ${words(label.slice(start.length))}`;
  const short = label.replace(REPEATED, '');
  return capitalized(words(about === 'hardware' ? short.replace(IMPLIED, '') : short));
}

const CAPITALS = /\b(?:(?:bios|bmc|cpu|fpga|gpu|guid|ip|mac|numa|os|pci|ram|uid|uuid|wwn)\b|l(?=\d))/g;

/** Returns a label as words, with the usual capitals of abbreviations. */
export function words(label: string): string {
  return visible(label)
    .replace(/[_.]/g, ' ')
    .replace(CAPITALS, (word) => word.toUpperCase())
    .replace('infiniband', 'InfiniBand');
}

/** Describes the hardware of a node, as one text for each card and as one line. */
export function summaryOf(fleet: Fleet, row: number) {
  const textOf = (name: string) => {
    const [value] = findField(name, fleet.query).valuesOf(row);
    return value === '' ? '' : valueText(value, name);
  };
  const times = (count: string, what: string) => (count === '' || what === '' ? what : `${count} × ${what}`);
  const of: Readonly<Partial<Record<CardTitle, string>>> = {
    CPU: times(textOf('architecture.smp_size'), textOf('label.cpu')),
    Memory: textOf('label.ram'),
    GPU: times(textOf('gpu.gpu_count'), textOf('label.gpu')),
    Disks: textOf('label.disk'),
    Network: textOf('label.network'),
  };
  const rack = textOf('placement.rack');
  const line = [
    ...[textOf('node_type'), of.CPU, of.Memory && `${of.Memory} RAM`, of.GPU, of.Disks && `${of.Disks} disk`],
    ...[of.Network && `${of.Network} network`, rack && `rack ${rack}`],
  ];
  return { of, line: line.filter((part) => part).join(', ') };
}
