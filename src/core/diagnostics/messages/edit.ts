/** Making registries and their resources. */
import { failure, type Nothing } from '../message.ts';

export const EDIT_MESSAGES = {
  'not-empty': failure<{ folder: string }>(
    (a) => `${a.folder} already holds a registry.`,
    'Name another folder, or work in this one.',
  ),
  'init-of-what': failure<Nothing>(
    () => 'Nothing says what the registry is to be.',
    'Name its grid: gridpress init --grid NAME; or look at an example: gridpress init --example.',
  ),
  'file-there': failure<{ file: string }>(
    (a) => `${a.file} is there already.`,
    'Nothing was written. Move it away, and merge the two afterwards.',
  ),
  'package-broken': failure<{ file: string }>(
    (a) => `${a.file} is no JSON object.`,
    'Nothing was written. Mend it first.',
  ),
} as const;
