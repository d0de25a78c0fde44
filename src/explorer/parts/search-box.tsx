import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SearchOutcome } from '../fleet/search.ts';
import { useFocusOnSlash } from '../state/use-kept-focus.ts';
import { TryAgain } from './notice.tsx';

interface SearchBoxProps {
  readonly asked: string;
  readonly found: SearchOutcome | undefined;
  /** The second script, which searches, could not be loaded. */
  readonly isMissing: boolean;
  readonly ask: (text: string) => void;
  /** Returns texts that begin with a text. The same function until the nodes change. */
  readonly complete: (text: string) => readonly string[];
}

const PAUSE_MS = 200;

export function SearchBox({ asked, found, isMissing, ask, complete }: SearchBoxProps) {
  const [typed, setTyped] = useState(asked);
  const completed = useMemo(() => complete(typed), [complete, typed]);
  const input = useRef<HTMLInputElement>(null);
  const sent = useRef(asked);
  const send = () => {
    sent.current = typed.trim();
    ask(sent.current);
  };
  // Links and Back replace the typed text. Its own updates must not, because the reader may still be typing.
  useLayoutEffect(() => {
    if (asked === sent.current) return;
    sent.current = asked;
    setTyped(asked);
  }, [asked]);
  useEffect(() => {
    if (typed.trim() === asked) return undefined;
    const timer = setTimeout(send, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useFocusOnSlash(input);
  const wrong = found?.kind === 'wrong' ? found : undefined;
  return (
    <search class="search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <label class="hidden" for="search">
          Words or a query
        </label>
        <input
          id="search"
          list="completions"
          ref={input}
          type="search"
          autoComplete="off"
          spellcheck={false}
          placeholder="A100 in uc, or gpu:A100 -uc, or label.ram >= 256GiB AND gpu.gpu_count > 1"
          value={typed}
          aria-invalid={wrong !== undefined}
          aria-describedby={wrong ? 'search-problem' : undefined}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <datalist id="completions">
          {completed.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
        {wrong ? (
          <p id="search-problem" class="problem">
            {wrong.column === undefined ? '' : `At character ${wrong.column}: `}
            {wrong.problem} {wrong.hint} The query is ignored.
          </p>
        ) : null}
        {isMissing ? (
          <p class="problem" role="alert">
            The search cannot run, because a part of the page could not be loaded. <TryAgain />
          </p>
        ) : null}
      </form>
    </search>
  );
}
