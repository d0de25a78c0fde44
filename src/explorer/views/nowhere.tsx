/** A fragment that names no view. */
import type { AppState } from '../app-state.ts';
import { Notice } from '../parts/notice.tsx';
import { visible } from '../parts/value.tsx';
import { fragmentOf } from '../state/place.ts';

export function Nowhere({ state }: { state: AppState }) {
  return (
    <>
      <h1 tabIndex={-1}>Not here</h1>
      <Notice kind="info" title={`There is nothing at ${visible(state.place.path)}.`}>
        The link may be of another registry. <a href={fragmentOf('nodes')}>All nodes</a>
      </Notice>
    </>
  );
}
