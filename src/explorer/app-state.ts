import type { DocumentReader } from './data/reader.ts';
import type { ShownRegistry } from './data/registry.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { ViewAddress } from './state/place.ts';

export interface AppState {
  readonly reader: DocumentReader;
  readonly registry: ShownRegistry;
  /** Whether the page loads the fields that the table lacks. */
  readonly isLoadingFields: boolean;
  /** Loads them. */
  readonly loadFields: () => void;
  readonly fleet: Fleet;
  readonly place: ViewAddress;
  /** Rows that are selected for comparison. */
  readonly picked: readonly number[];
  readonly pick: (rows: readonly number[], isPicked: boolean) => void;
  readonly announce: (text: string) => void;
}

export interface ViewProps {
  readonly state: AppState;
}
