/** A button with a panel below it, which closes by Escape and by a click elsewhere. */

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type More, useMore } from '../data/more.ts';

function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const [isOpen, setIsOpen] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const byClick = (event: Event) => {
      if (event.target instanceof Node && !whole.current?.contains(event.target)) setIsOpen(false);
    };
    const byKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setIsOpen(false);
      button.current?.focus();
    };
    addEventListener('pointerdown', byClick);
    addEventListener('keydown', byKey);
    return () => {
      removeEventListener('pointerdown', byClick);
      removeEventListener('keydown', byKey);
    };
  }, [isOpen]);
  return (
    <div class="menu" ref={whole}>
      <button type="button" ref={button} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {label} <span aria-hidden="true">▾</span>
      </button>
      {isOpen ? <div class="panel">{children}</div> : null}
    </div>
  );
}

/** A menu whose content comes with the second script. */
interface MoreMenuProps {
  readonly label: string;
  readonly show: (more: More) => ComponentChildren;
}

export function MoreMenu({ label, show }: MoreMenuProps) {
  return (
    <Menu label={label}>
      <Content show={show} />
    </Menu>
  );
}

function Content({ show }: Pick<MoreMenuProps, 'show'>) {
  const more = useMore(true);
  if (more === 'missing') return <p role="alert">A part of the page could not be loaded.</p>;
  return more ? show(more) : <p class="loading">Reading…</p>;
}
