/** Moves the focus from the search field to the first found node. The button is visible only while it has the focus. */
export function SkipToResults() {
  return (
    <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>('main td a')?.focus()}>
      Skip to results
    </button>
  );
}
