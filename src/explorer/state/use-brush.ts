import { useRef, useState } from 'preact/hooks';

/**
 * Chooses a range of bins of a plot, by a drag with the mouse or by the numbers of the first and the last bin. `show` gets
 * the range at the end of a drag. Another `plot` starts with all bins.
 */
export function useBrush(plot: string, bins: number, show: (from: number, to: number) => void) {
  const [range, setRange] = useState<{ readonly plot: string; readonly from: number; readonly to: number }>();
  const start = useRef<number>(undefined);
  const { from, to } = range?.plot === plot ? range : { from: 0, to: bins - 1 };
  const set = (a: number, b: number) => setRange({ plot, from: Math.min(a, b), to: Math.max(a, b) });
  return {
    from,
    to,
    set,
    show: () => show(from, to),
    /** The handlers of the element of a bin. */
    bin: (bin: number, onClick?: () => void) => ({
      onClick,
      class: (from > 0 || to < bins - 1) && bin >= from && bin <= to ? 'brushed' : undefined,
      onPointerDown: ({ pointerType, button }: PointerEvent) => {
        // A drag with a finger scrolls the page.
        start.current = pointerType === 'mouse' && button === 0 ? bin : undefined;
      },
      onPointerEnter: ({ buttons }: PointerEvent) => {
        if (buttons === 1 && start.current !== undefined) set(start.current, bin);
      },
      onPointerUp: () => {
        if (start.current === undefined || start.current === bin) return;
        setRange(undefined);
        show(from, to);
      },
      onDragStart: (event: Event) => event.preventDefault(),
    }),
  };
}
