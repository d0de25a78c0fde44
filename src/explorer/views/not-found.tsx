import type { ViewProps } from '../app-state.ts';
import { Notice } from '../parts/notice.tsx';
import { visible } from '../parts/value.tsx';
import { fragmentOf } from '../state/place.ts';

export function NotFound({ state }: ViewProps) {
  return (
    <>
      <h1 tabIndex={-1}>Page not found</h1>
      <Notice kind="info" title={`There is no view at ${visible(state.place.path)}.`}>
        The link may belong to another registry. <a href={fragmentOf('nodes')}>All nodes</a>
      </Notice>
    </>
  );
}
