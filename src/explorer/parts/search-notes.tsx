import { visible } from '../fleet/visible.ts';

/** Likely mistakes in a search, and how the page understood it. */
export function SearchNotes({ notes }: { readonly notes: readonly string[] }) {
  return notes.map((note) => (
    <p key={note} class="notice" role="status">
      {visible(note)}
    </p>
  ));
}
