import type { ComponentChildren } from 'preact';

interface NoticeProps {
  readonly kind: 'info' | 'wrong';
  readonly title: string;
  readonly children?: ComponentChildren;
}

export function Notice({ kind, title, children }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={kind === 'wrong' ? 'alert' : undefined}>
      <strong>{title}</strong>
      {children === undefined ? null : <div>{children}</div>}
    </div>
  );
}

export function Loading() {
  return <p class="loading">Loading…</p>;
}

export function TryAgain() {
  return (
    <button type="button" onClick={() => location.reload()}>
      Try again
    </button>
  );
}
