import { counted } from './value.tsx';

interface DropsProps {
  /** `drop` removes a filter or the search. `nodes` is the number of nodes that would then match. */
  readonly drops: readonly { readonly label: string; readonly nodes: number; readonly drop: () => void }[];
}

export function FiltersToDrop({ drops }: DropsProps) {
  const useful = drops.filter(({ nodes }) => nodes > 0);
  if (useful.length === 0) return null;
  return (
    <ul class="rows">
      {useful.map(({ label, nodes, drop }) => (
        <li key={label}>
          <button type="button" class="link" onClick={drop}>
            Remove {label}
          </button>{' '}
          <span class="absent">{counted(nodes, 'node')}</span>
        </li>
      ))}
    </ul>
  );
}
