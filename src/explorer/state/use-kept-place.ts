import { useLayoutEffect, useRef } from 'preact/hooks';

/** Keeps a clicked facet value under the pointer. Facets become shorter only after the pointer leaves all facets. */
export function useKeptPlace() {
  const restore = useRef<() => void>(undefined);
  useLayoutEffect(() => {
    restore.current?.();
    restore.current = undefined;
  });
  const setHeights = (list: HTMLElement, heightOf: (facet: HTMLElement) => string) => {
    for (const facet of list.querySelectorAll<HTMLElement>('.facet')) facet.style.minHeight = heightOf(facet);
  };
  return {
    onClick: ({ target, currentTarget: list }: { readonly target: EventTarget | null; currentTarget: HTMLElement }) => {
      if (!(target instanceof Element)) return;
      setHeights(list, (facet) => (facet.contains(target) ? '' : getComputedStyle(facet).height));
      const topOf = () => target.getBoundingClientRect().top;
      const top = topOf();
      restore.current = () => {
        if (!target.isConnected) return;
        list.scrollTop += topOf() - top;
        scrollBy(0, topOf() - top);
      };
    },
    onPointerLeave: ({ currentTarget }: { readonly currentTarget: HTMLElement }) => setHeights(currentTarget, () => ''),
  };
}
