import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type More, useMore } from '../data/more.ts';
import { Loading } from './notice.tsx';

interface MenuProps {
  readonly label: string;
  readonly isCurrent?: boolean;
  readonly isDisabled?: boolean;
  readonly children: ComponentChildren;
}

/** A button that opens a panel. The key Escape or a click outside closes the panel. */
export function Menu({ label, isCurrent = false, isDisabled = false, children }: MenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // An effect after the paint could miss a fast Escape.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const closeByClick = (event: Event) => {
      if (event.target instanceof Node && !menu.current?.contains(event.target)) setIsOpen(false);
    };
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setIsOpen(false);
      button.current?.focus();
    };
    addEventListener('pointerdown', closeByClick);
    addEventListener('keydown', closeByKey);
    return () => {
      removeEventListener('pointerdown', closeByClick);
      removeEventListener('keydown', closeByKey);
    };
  }, [isOpen]);
  return (
    <div class="menu" ref={menu}>
      <button
        type="button"
        ref={button}
        aria-expanded={isOpen}
        aria-current={isCurrent}
        disabled={isDisabled}
        onClick={() => setIsOpen(!isOpen)}
      >
        {label} <span aria-hidden="true">▾</span>
      </button>
      {isOpen ? <div class="panel">{children}</div> : null}
    </div>
  );
}

/** Renders a component of the second script, as soon as the script is loaded. */
export function MorePart({ show }: { readonly show: (more: More) => ComponentChildren }) {
  const more = useMore(true);
  if (more === 'missing') return <p role="alert">A part of the page could not be loaded.</p>;
  return more ? show(more) : <Loading />;
}
