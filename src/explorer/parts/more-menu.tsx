/** A menu whose content comes with the second script. */
import type { ComponentChildren } from 'preact';
import { type More, useMore } from '../data/more.ts';
import { Menu } from './menu.tsx';

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
