/** The facets, as the data dictionary and the nodes themselves have them: hardware first, the rest folded. */
import { useMemo } from 'preact/hooks';
import { FIELD_CLASSES } from '../../../core/model/fields/class-names.ts';
import { LABEL_PREFIX, PLACE_NAMES } from '../../../core/model/fields/field-name.ts';
import type { Field } from '../../data/registry.ts';
import type { Filter, Range, Selection } from '../../fleet/filters.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { FacetPanel } from './facet.tsx';

export interface FacetsProps {
  readonly fleet: Fleet;
  readonly fields: readonly Field[];
  readonly filters: readonly Filter[];
  readonly chosen: Selection;
  readonly change: (field: string, texts: readonly string[], range: Range | undefined) => void;
}

interface Group {
  readonly title: string;
  readonly fields: readonly Field[];
  readonly isOpen: boolean;
}

/** Where people begin, unfolded; the second half is there, and folded. */
const FIRST = ['site', 'label.gpu', 'label.cpu', 'label.ram'];
const NEXT = ['node_type', 'gpu.gpu_count', 'label.disk', 'label.network', 'architecture.smt_size'];

export function Facets({ fleet, fields, filters, chosen, change }: FacetsProps) {
  const groups = useMemo(() => groupsOf(fields, fleet.table.total), [fields, fleet]);
  const facet = (field: Field, isOpen: boolean) => (
    <FacetPanel
      key={field.name}
      fleet={fleet}
      field={field.name}
      chosen={chosen}
      isOpen={isOpen}
      description={field.description}
      filter={filters.find((filter) => filter.field === field.name)}
      change={(texts, range) => change(field.name, texts, range)}
    />
  );
  return (
    <>
      {groups.map(({ title, fields, isOpen }) =>
        title === '' ? (
          fields.map((field) => facet(field, FIRST.includes(field.name)))
        ) : (
          <details class="facet-group" key={title} open={isOpen}>
            <summary>{title}</summary>
            {fields.map((field) => facet(field, false))}
          </details>
        ),
      )}
    </>
  );
}

function groupsOf(fields: readonly Field[], total: number): Group[] {
  const useful = fields.filter((field) => isUseful(field, total));
  const foremost = [...FIRST, ...NEXT].flatMap((name) => useful.find((field) => field.name === name) ?? []);
  const rest = useful.filter(
    (field) =>
      !foremost.includes(field) &&
      !field.name.startsWith(`${LABEL_PREFIX}.`) &&
      !PLACE_NAMES.some((name) => name === field.name),
  );
  const byClass = FIELD_CLASSES.map((name) => ({
    title: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    fields: rest.filter((field) => field.class === name),
    isOpen: false,
  }));
  return [{ title: '', fields: foremost, isOpen: true }, ...byClass].filter(({ fields }) => fields.length > 0);
}

/** A field that tells nodes apart, but not each from every other; what only repeats another has its label. */
function isUseful({ name, class: about, distinct, nodes, values, range }: Field, total: number): boolean {
  if (about === 'component' || name === 'uid' || (about === 'derived' && !name.startsWith(LABEL_PREFIX))) return false;
  if (values === undefined && range === undefined) return false;
  return distinct > 1 ? distinct < nodes * 0.9 || distinct < 12 : distinct === 1 && nodes < total;
}
