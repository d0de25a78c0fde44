import { findField } from '../../core/query/columns.ts';
import { filtersIn, parameterOf, selection } from './filters.ts';
import type { Fleet } from './fleet.ts';

export function gpuTest({ query }: Fleet): (row: number) => boolean {
  const { valuesOf } = findField('label.gpu', query);
  return (row) => valuesOf(row).length > 0;
}

export interface ExampleQuestion {
  readonly text: string;
  /** The URL parameters of the example question. */
  readonly params: Readonly<Record<string, string>>;
  readonly nodes: number;
}

const QUESTIONS: readonly Omit<ExampleQuestion, 'nodes'>[] = [
  { text: '2 or more GPUs and 256 GiB of RAM', params: { 'gpu.gpu_count': '2..', 'label.ram': '256GiB..' } },
  { text: 'InfiniBand', params: { 'network_adapters.interface': 'InfiniBand' } },
  { text: '512 GiB of RAM or more', params: { 'label.ram': '512GiB..' } },
  { text: 'ARM processors', params: { 'architecture.platform_type': 'aarch64' } },
  { text: '25 Gbit/s Ethernet or faster', params: { 'label.network': '25Gbps..' } },
  { text: '100 threads or more', params: { 'architecture.smt_size': '100..' } },
  { text: '1 TB of disk or more', params: { 'label.disk': '1TB..' } },
];
const MOST_QUESTIONS = 4;

/** Returns example questions that match at least one node, but not all nodes. */
export function exampleQuestions(fleet: Fleet): ExampleQuestion[] {
  const answered = QUESTIONS.map(({ text, params }) => {
    const named = Object.fromEntries(Object.entries(params).map(([field, value]) => [parameterOf(field), value]));
    const filters = filtersIn(new URLSearchParams(named), fleet);
    return { text, params: named, nodes: selection(fleet, filters, undefined).rows.length };
  });
  return answered.filter(({ nodes }) => nodes > 0 && nodes < fleet.table.total).slice(0, MOST_QUESTIONS);
}
