import type { ComponentChildren } from 'preact';
import { visible } from './value.tsx';

/** A region that scrolls on its own, also with the keyboard. */
export function ScrollRegion({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <section class="scroll free" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

interface TableProps {
  /** CSS classes. Narrow screens show the rows of `cards` as cards. */
  readonly kind: string;
  readonly label: string;
  readonly heads: readonly ComponentChildren[];
  readonly children: ComponentChildren;
  readonly foot?: ComponentChildren;
}

export function Table({ kind, label, heads, children, foot }: TableProps) {
  return (
    <ScrollRegion label={label}>
      <table class={kind}>
        <thead>
          <tr>
            {heads.map((head, i) => (
              <th scope="col" key={i}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
        {foot ? <tfoot>{foot}</tfoot> : null}
      </table>
    </ScrollRegion>
  );
}

/** A field path that narrow screens break after a dot or an underscore. */
export function FieldLabel({ label }: { label: string }) {
  const parts = visible(label).split(/(?<=[._])/);
  return <span>{parts.flatMap((part, i) => (i === 0 ? part : [<wbr key={i} />, part]))}</span>;
}
