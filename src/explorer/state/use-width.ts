import { useLayoutEffect, useRef, useState } from 'preact/hooks';

const INITIAL_WIDTH = 720;

/** Returns the width of an element in pixels. Drawings use this width, so that their text is not scaled. */
export function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(INITIAL_WIDTH);
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
