interface OtherFormsProps {
  /** The query that means the same as the search and the filters. Empty if there are none. */
  readonly query: string;
  /** Whether the search is already this query. */
  readonly isQuery: boolean;
  readonly filtersOf: (query: string) => Readonly<Record<string, readonly string[]>> | undefined;
  readonly write: (query: string) => void;
  readonly filter: (filters: Readonly<Record<string, readonly string[]>>) => void;
}

/** Turns words and filters into a query, and a simple query into filters. */
export function OtherForms({ query, isQuery, filtersOf, write, filter }: OtherFormsProps) {
  if (query === '') return null;
  const filters = isQuery ? filtersOf(query) : undefined;
  return (
    <>
      {isQuery ? null : (
        <>
          <code>{query}</code>
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
