import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useFocusOnSlash } from '../state/use-kept-focus.ts';
import { TryAgain } from './notice.tsx';

interface SearchBoxProps {
  readonly asked: string;
  /** True if the explorer shows a message about a wrong query. */
  readonly isWrong: boolean;
  /** True if the explorer could not load the second script, which contains the search. */
  readonly isMissing: boolean;
  readonly ask: (text: string) => void;
  readonly type: (isTyping: boolean) => void;
  /** Returns completions of a text. Callers pass the same function until the nodes change. */
  readonly complete: (text: string) => readonly string[];
}

/**
 * The explorer searches after a short pause. After a long pause, the explorer assumes that the user has finished
 * typing.
 */
const PAUSE_MS = 200;
const LONG_PAUSE_MS = 600;

export function SearchBox({ asked, isWrong, isMissing, ask, type, complete }: SearchBoxProps) {
  const [typed, setTyped] = useState(asked);
  const completed = useMemo(() => complete(typed), [complete, typed]);
  const input = useRef<HTMLInputElement>(null);
  const sent = useRef(asked);
  const send = () => {
    sent.current = typed.trim();
    ask(sent.current);
  };
  // A search from this box must not replace the typed text, because the user may still be typing.
  useLayoutEffect(() => {
    if (asked === sent.current) return;
    sent.current = asked;
    setTyped(asked);
  }, [asked]);
  useEffect(() => {
    const isNew = typed.trim() !== asked;
    const timers = [setTimeout(() => isNew && send(), PAUSE_MS), setTimeout(() => type(false), LONG_PAUSE_MS)];
    return () => {
      for (const timer of timers) clearTimeout(timer);
    };
  }, [typed]);
  useFocusOnSlash(input);
  return (
    <search class="search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
          type(false);
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
          placeholder="A100 256 GiB, or label.ram >= 256GiB"
          value={typed}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? 'search-problem' : undefined}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            type(true);
          }}
        />
        <datalist id="completions">
          {completed.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
        {isMissing ? (
          <p class="problem" role="alert">
            The search cannot run, because a part of the page could not be loaded. <TryAgain />
          </p>
        ) : null}
      </form>
    </search>
  );
}
