import { visible } from '../fleet/visible.ts';

/** Shows notes about a search: likely mistakes, and how the page understood it. */
export function SearchNotes({ notes }: { readonly notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <div class="notice" role="status">
      {notes.map((note) => (
        <div key={note}>{visible(note)}</div>
      ))}
    </div>
  );
}
