import type { AppState } from '../app-state.ts';
import type { SearchOutcome } from '../fleet/search.ts';
import type { SiteUids } from '../fleet/words.ts';
import { type DocumentReader, ReadError } from './reader.ts';
import { canLoadAllFields } from './registry.ts';
import { readSites } from './sites.ts';

/** A search loads complete nodes only if the registry has at most this number of nodes. */
const MOST_NODES_SEARCHED_FURTHER = 1_000;
/** Matches words that can be serial numbers or addresses. */
const SERIAL = /^(?=.*[\d:]).{4,}$/;

/** If a search has unknown words or no result, loads the site names. The next call may load the omitted fields. */
export async function searchFurther(
  { reader, registry, loadFields }: AppState,
  found: SearchOutcome,
  uids: SiteUids | undefined,
): Promise<SiteUids | undefined> {
  if (found.kind === 'wrong' || (found.missing.length === 0 && found.rows.length > 0)) return uids;
  if (uids === undefined) return siteUids(reader);
  const isSerial = found.missing.some(({ word }) => SERIAL.test(word));
  if (isSerial && registry.table.total <= MOST_NODES_SEARCHED_FURTHER && canLoadAllFields(registry)) loadFields();
  return uids;
}

/** Maps the display name of each site, in lower case, to its uid. Returns an empty map after a read error. */
export async function siteUids(reader: DocumentReader): Promise<SiteUids> {
  try {
    return new Map((await readSites(reader)).map(({ name, uid }) => [name.toLowerCase(), uid]));
  } catch (error) {
    if (error instanceof ReadError) return new Map();
    throw error;
  }
}
