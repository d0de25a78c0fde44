/** Which rows of a list of equal heights are in sight of the region that it scrolls in. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows beyond what is in sight, so that scrolling shows no gaps. */
const MORE = 12;

export function useWindow(rows: number, rowHeight: number) {
  const ref = useRef<HTMLDivElement>(null);
  const [first, setFirst] = useState(0);
  const [height, setHeight] = useState(600);
  const follow = () => setFirst(Math.floor((ref.current?.scrollTop ?? 0) / rowHeight));
  useLayoutEffect(() => {
    const region = ref.current;
    if (!region) return undefined;
    const observer = new ResizeObserver(() => setHeight(region.clientHeight));
    observer.observe(region);
    return () => observer.disconnect();
  }, []);
  const visible = Math.ceil(height / rowHeight);
  const seen = Math.max(0, Math.min(first, rows - visible));
  return { ref, follow, from: Math.max(0, seen - MORE), to: Math.min(rows, seen + visible + MORE) };
}
