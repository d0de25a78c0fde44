/** The registry at the revision that the fragment names, for all views. */
import { useRef } from 'preact/hooks';
import { useMore } from '../data/more.ts';
import type { DocumentReader } from '../data/reader.ts';
import type { ShownRegistry } from '../data/registry.ts';
import { useLoaded } from './use-loaded.ts';

/** Undefined while it is read for the first time; the newest where there is no such revision to show. */
export function useRegistryAt(
  reader: DocumentReader,
  newest: ShownRegistry,
  at: string | null,
): ShownRegistry | undefined {
  const wanted = at === null || newest.version.startsWith(at) ? '' : at;
  const more = useMore(wanted !== '');
  const isReady = more !== undefined && more !== 'missing';
  const loaded = useLoaded(`${wanted} ${isReady}`, async () =>
    isReady && wanted !== '' ? more.registryAt(reader, newest, wanted) : undefined,
  );
  const last = useRef<ShownRegistry | undefined>(wanted === '' ? newest : undefined);
  if (wanted === '' || more === 'missing' || loaded.kind === 'failed') last.current = newest;
  // From one moment to the next the page shows the last one for as long as it takes.
  else if (isReady && loaded.kind === 'done') last.current = loaded.value ?? newest;
  return last.current;
}
