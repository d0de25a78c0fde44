import type { ComponentChildren } from 'preact';
import { visible } from './value.tsx';

/** A region with its own scroll bar. Users can also scroll it with the keyboard. */
export function ScrollRegion({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <section class="scroll free" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

interface TableProps {
  /** The CSS classes of the table. The class `cards` shows rows as cards on narrow screens. */
  readonly kind: string;
  readonly label: string;
  readonly heads: readonly ComponentChildren[];
  /** The indexes of the columns that contain numbers. Their cells are aligned to the right. */
  readonly numbers?: readonly number[] | undefined;
  readonly children: ComponentChildren;
  readonly foot?: ComponentChildren;
}

export function Table({ kind, label, heads, numbers, children, foot }: TableProps) {
  return (
    <ScrollRegion label={label}>
      <table class={kind}>
        <HeadRow heads={heads} numbers={numbers} />
        <tbody>{children}</tbody>
        {foot ? <tfoot>{foot}</tfoot> : null}
      </table>
    </ScrollRegion>
  );
}

export function HeadRow({ heads, numbers = [] }: Pick<TableProps, 'heads' | 'numbers'>) {
  return (
    <thead>
      <tr>
        {heads.map((head, i) => (
          <th scope="col" key={i} class={numbers.includes(i) ? 'number' : undefined}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Shows the path of a field. On narrow screens, the line can break after a dot or an underscore. */
export function FieldLabel({ label }: { label: string }) {
  const parts = visible(label).split(/(?<=[._])/);
  return <span>{parts.flatMap((part, i) => (i === 0 ? part : [<wbr key={i} />, part]))}</span>;
}
