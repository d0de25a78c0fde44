/** Tables, and whatever else may be wider than the page. */

import type { ComponentChildren } from 'preact';
import { visible } from './value.tsx';

/** Scrolls by itself, by the keyboard too. */
export function ScrollRegion({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <section class="scroll free" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

interface TableProps {
  /** Its style: narrow screens show the rows of `cards` as cards. */
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

/** The way to a field, which narrow screens break where one of its parts ends. */
export function FieldLabel({ label }: { label: string }) {
  return (
    <span>
      {visible(label)
        .split(/(?<=[._])/)
        .flatMap((part, i) => (i === 0 ? part : [<wbr key={i} />, part]))}
    </span>
  );
}
