import { objectsIn, textOf } from '../../core/model/json.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { writtenDataset } from '../data/reader.ts';
import type { Fleet } from './fleet.ts';
import { visible } from './visible.ts';

const titles = lazily(
  () =>
    new Map(
      objectsIn(writtenDataset()?.['spatialCoverage']).map(({ identifier, name }) => [
        textOf(identifier),
        textOf(name),
      ]),
    ),
);

/** Returns the display name of a site as visible text, or the uid of a removed site. */
export function siteTitle(uid: string): string {
  return visible(titles().get(uid) ?? uid);
}

/** Returns the title of a node's site, and the cluster if other nodes of the site have the same name. */
export function placeTitle(row: number, fleet: Fleet): string {
  const { site, cluster } = fleet.placeOf(row);
  return fleet.isNameShared(row) ? `${siteTitle(site)} ${visible(cluster)}` : siteTitle(site);
}
