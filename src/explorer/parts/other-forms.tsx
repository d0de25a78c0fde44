import { visible } from './value.tsx';

interface OtherFormsProps {
  /** The query that combines the search and the filters. Empty if there is no search and no filter. */
  readonly query: string;
  /** True if the text in the search box already is this query. */
  readonly isQuery: boolean;
  readonly filtersOf: (query: string) => Readonly<Record<string, readonly string[]>> | undefined;
  readonly write: (query: string) => void;
  readonly filter: (filters: Readonly<Record<string, readonly string[]>>) => void;
}

/** Offers to convert words and filters to a query, or to convert a simple query to filters. */
export function OtherForms({ query, isQuery, filtersOf, write, filter }: OtherFormsProps) {
  if (query === '') return null;
  const filters = isQuery ? filtersOf(query) : undefined;
  return (
    <>
      {isQuery ? null : (
        <>
          <code title={visible(query)}>{visible(query)}</code>
          <button type="button" class="link" onClick={() => write(query)}>
            Edit as a query
          </button>
        </>
      )}
      {filters ? (
        <button type="button" class="link" onClick={() => filter(filters)}>
          Show as filters
        </button>
      ) : isQuery ? (
        'Filters cannot express this query.'
      ) : null}
    </>
  );
}
