import { resourceUrl } from '../../core/api/urls.ts';
import { type Json, objectsIn, textOf } from '../../core/model/json.ts';
import { visible } from '../fleet/visible.ts';
import type { DocumentReader } from './reader.ts';

export interface Site {
  readonly uid: string;
  readonly name: string;
  readonly location: string;
  readonly siteClass: string;
  readonly web: string;
  /** Latitude and longitude are in degrees. */
  readonly position: { readonly latitude: number; readonly longitude: number } | undefined;
}

export async function readSites(reader: DocumentReader): Promise<Site[]> {
  const read = await reader.read(resourceUrl('sites'));
  return objectsIn(read?.['items']).map(({ uid, name, location, site_class, web, latitude, longitude }) => ({
    uid: textOf(uid),
    name: textOf(name) || textOf(uid),
    location: textOf(location),
    web: textOf(web),
    siteClass: textOf(site_class),
    position: positionOf(latitude, longitude),
  }));
}

/** Returns the display name of a site as visible text, or the uid of a removed site. */
export type SiteNames = (uid: string) => string;

export async function readSiteNames(reader: DocumentReader): Promise<SiteNames> {
  const names = new Map((await readSites(reader)).map(({ uid, name }) => [uid, name]));
  return (uid) => visible(names.get(uid) ?? uid);
}

function positionOf(latitude: Json | undefined, longitude: Json | undefined): Site['position'] {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}
