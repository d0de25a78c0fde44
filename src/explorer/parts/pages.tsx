interface PagesProps {
  /** Page numbers begin at 0. */
  readonly page: number;
  readonly last: number;
  readonly go: (page: number) => void;
}

/** The buttons below a table with pages. */
export function Pages({ page, last, go }: PagesProps) {
  if (last === 0) return null;
  const button = (label: string, to: number) => (
    <button type="button" disabled={to < 0 || to > last || to === page} onClick={() => go(to)}>
      {label}
    </button>
  );
  return (
    <nav class="paging" aria-label="Pages of the table">
      {button('First', 0)}
      {button('Previous', page - 1)}
      <span>
        Page {page + 1} of {last + 1}
      </span>
      {button('Next', page + 1)}
      {button('Last', last)}
    </nav>
  );
}
