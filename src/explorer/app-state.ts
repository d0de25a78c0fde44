import type { DocumentReader } from './data/reader.ts';
import type { ShownRegistry } from './data/registry.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { ViewAddress } from './state/place.ts';

export interface AppState {
  readonly reader: DocumentReader;
  readonly registry: ShownRegistry;
  /** True while the page shows another revision than the one in the URL. */
  readonly isLoadingRevision: boolean;
  readonly isLoadingFields: boolean;
  /** Loads the fields that the node table omits. */
  readonly loadFields: () => void;
  readonly fleet: Fleet;
  readonly place: ViewAddress;
  readonly picked: readonly number[];
  readonly pick: (rows: readonly number[], isPicked: boolean) => void;
  readonly announce: (text: string) => void;
}

export interface ViewProps {
  readonly state: AppState;
}
