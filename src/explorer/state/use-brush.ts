import { useRef, useState } from 'preact/hooks';

/** Selects neighbouring bins of a plot with the mouse or by index. `show` receives the first and the last bin. */
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
    bin: (bin: number, onClick?: () => void) => ({
      onClick,
      class: (from > 0 || to < bins - 1) && bin >= from && bin <= to ? 'brushed' : undefined,
      onPointerDown: ({ pointerType, button }: PointerEvent) => {
        // On touch screens, dragging scrolls the page.
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
