import type { WrongQuery } from '../fleet/search.ts';
import { visible } from './value.tsx';

interface SearchProblemProps {
  readonly wrong: WrongQuery;
  readonly correct: (text: string) => void;
}

/** Explains a wrong query. Each suggested name is a button that corrects the query. */
export function SearchProblem({ wrong, correct }: SearchProblemProps) {
  const { problem, hint, column, corrections } = wrong;
  return (
    <p id="search-problem" class="problem">
      {column === undefined ? '' : `At character ${column}: `}
      {problem}{' '}
      {corrections.length === 0 ? (
        hint
      ) : (
        <>
          Did you mean{' '}
          {corrections.map(({ name, text }, i) => (
            <>
              {i > 0 ? ' or ' : ''}
              <button
                type="button"
                class="link"
                onClick={() => {
                  correct(text);
                  document.getElementById('search')?.focus();
                }}
              >
                {visible(name)}
              </button>
            </>
          ))}
          ?
        </>
      )}
    </p>
  );
}
