/** Which bodies a comparison has side by side, as its fragment says: `pick=uid,uid`, `was=revision,revision`, `majority`. */
import { MOST_COMPARED } from '../state/picked.ts';

/** A node, now or as of a revision, or what most of its type have. */
export interface ComparedColumn {
  readonly row: number;
  readonly as: 'now' | 'majority' | { readonly revision: string };
}

/** The majority of the first node's type comes first, since each is compared with the first; then each node, the past before the present. */
export function comparedColumns(rows: readonly number[], params: URLSearchParams): ComparedColumn[] {
  const [first] = rows;
  const majority = first !== undefined && params.has('majority') ? [{ row: first, as: 'majority' } as const] : [];
  const nodes = rows.flatMap((row) => [
    ...revisionsIn(params).map((revision) => ({ row, as: { revision } })),
    { row, as: 'now' } as const,
  ]);
  return [...majority, ...nodes].slice(0, MOST_COMPARED);
}

/** The beginnings of the revisions at which nodes are compared with what they are now. */
export function revisionsIn(params: URLSearchParams): string[] {
  return (params.get('was') ?? '').split(',').filter((text) => text !== '');
}
