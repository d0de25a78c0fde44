/** Something that the reader should know before reading on: a mistake, a limit, nothing found. */
import type { ComponentChildren } from 'preact';

export function Notice({
  kind,
  title,
  children,
}: {
  kind: 'info' | 'wrong';
  title: string;
  children?: ComponentChildren;
}) {
  return (
    <div class={`notice ${kind}`} role={kind === 'wrong' ? 'alert' : undefined}>
      <strong>{title}</strong>
      {children === undefined ? null : <div>{children}</div>}
    </div>
  );
}
