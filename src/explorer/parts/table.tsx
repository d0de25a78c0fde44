import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { rememberTableScroll, tableScroll } from '../state/scroll.ts';
import { visible } from './value.tsx';

interface ScrollRegionProps {
  readonly label: string;
  /** True if the region fills the rest of the window. The page itself then does not scroll. */
  readonly isFitted?: boolean;
  readonly children: ComponentChildren;
}

/** A region with its own scroll bar. Users can also scroll this region with the keyboard. */
export function ScrollRegion({ label, isFitted = false, children }: ScrollRegionProps) {
  const ref = useRef<HTMLElement>(null);
  const isWide = useIsWide(ref);
  // The button Back restores the scroll position of the table.
  useLayoutEffect(() => {
    if (isFitted) ref.current?.scrollTo(0, tableScroll());
  }, []);
  return (
    <>
      {isWide ? <p class="absent sideways">Scroll sideways to see more.</p> : null}
      <section
        class={isFitted ? 'scroll free fit' : 'scroll free'}
        tabIndex={0}
        aria-label={label}
        ref={ref}
        onScroll={isFitted ? (event) => rememberTableScroll(event.currentTarget.scrollTop) : undefined}
      >
        {children}
      </section>
    </>
  );
}

/** Returns whether the content of a region is wider than the region. Many screens show no scroll bar. */
function useIsWide(ref: { readonly current: HTMLElement | null }): boolean {
  const [isWide, setIsWide] = useState(false);
  useLayoutEffect(() => {
    const region = ref.current;
    if (!region) return undefined;
    const measure = () => setIsWide(region.scrollWidth > region.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    for (const element of [region, ...region.children]) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return isWide;
}

interface TableProps {
  /** The CSS classes of the table. The class `cards` shows rows as cards on narrow screens. */
  readonly kind: string;
  readonly label: string;
  readonly heads: readonly ComponentChildren[];
  /** The indexes of the columns that contain numbers, which the table aligns to the right. */
  readonly numbers?: readonly number[] | undefined;
  readonly children: ComponentChildren;
  readonly foot?: ComponentChildren;
}

export function Table({ kind, label, heads, numbers, children, foot }: TableProps) {
  return (
    <ScrollRegion label={label} isFitted={kind.startsWith('fields')}>
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
