/** A button that moves the focus to the first found node. It is visible only while it has the focus. */
export function SkipToResults() {
  return (
    <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>('main td a')?.focus()}>
      Skip to results
    </button>
  );
}
