/** How wide an element is, for drawing in its own pixels: then texts in a drawing are as large as all others. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

const USUAL = 720;

export function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(USUAL);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const follow = () => setWidth(Math.max(1, element.clientWidth));
    follow();
    const observer = new ResizeObserver(follow);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
