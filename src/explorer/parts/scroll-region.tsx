/** What may be wider than the page: it scrolls by itself, by the keyboard too. */
import type { ComponentChildren } from 'preact';

export function ScrollRegion({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <section class="scroll free" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
