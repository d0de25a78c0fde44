import { useEffect, useRef } from 'preact/hooks';

/** Browsers ignore or reject changes of the address if there are too many: in Safari, more than 100 in ten seconds. */
const PAUSE_MS = 110;

/** `run` waits, and then runs only the last step. `finish` runs the waiting step at once, for the end of a drag. */
export function useSlowSteps() {
  const waiting = useRef<() => void>(undefined);
  const finish = () => {
    waiting.current?.();
    waiting.current = undefined;
  };
  const run = (step: () => void) => {
    if (!waiting.current) setTimeout(finish, PAUSE_MS);
    waiting.current = step;
  };
  // A step must not run after the user has opened another view.
  useEffect(() => () => run(() => {}), []);
  return { run, finish };
}
