/**
 * A button that appears when it has the focus. The button moves the focus from the search field to the first found
 * node.
 */
export function SkipToResults() {
  return (
    <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>('main td a')?.focus()}>
      Skip to results
    </button>
  );
}
