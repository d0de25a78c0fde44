/** What every view is given: the registry that was read, where the page is, and the ways to other places. */
import type { DocumentReader } from './data/reader.ts';
import type { ShownRegistry } from './data/registry.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { ViewAddress } from './state/place.ts';

export interface AppState {
  readonly reader: DocumentReader;
  readonly registry: ShownRegistry;
  readonly fleet: Fleet;
  readonly place: ViewAddress;
  readonly picked: readonly number[];
  readonly pick: (row: number, isPicked: boolean) => void;
  /** Says something to people who do not see the page change. */
  readonly announce: (text: string) => void;
}
