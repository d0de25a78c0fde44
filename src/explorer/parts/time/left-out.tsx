/** Where a history begins that the tree does not tell from its beginning. */
export function LeftOut() {
  return <p class="absent">What came before is left out: only this much of the history is published here.</p>;
}
