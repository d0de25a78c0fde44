import { visible } from '../fleet/visible.ts';

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
