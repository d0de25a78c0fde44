import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type More, useMore } from '../data/more.ts';
import { Loading } from './notice.tsx';

interface MoreMenuProps {
  readonly label: string;
  readonly show: (more: More) => ComponentChildren;
}

/** Shows a button. Its panel comes from the second script. Escape, or a click outside, closes the panel. */
export function MoreMenu({ label, show }: MoreMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
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
      <button type="button" ref={button} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {label} <span aria-hidden="true">▾</span>
      </button>
      {isOpen ? (
        <div class="panel">
          <Content show={show} />
        </div>
      ) : null}
    </div>
  );
}

function Content({ show }: Pick<MoreMenuProps, 'show'>) {
  const more = useMore(true);
  if (more === 'missing') return <p role="alert">A part of the page could not be loaded.</p>;
  return more ? show(more) : <Loading />;
}
