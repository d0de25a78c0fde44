/**
 * Reading from the folder that the page was opened from. Browsers read nothing there but scripts: what the page begins with,
 * the table over time and the pasts of all nodes lie beside it as such, where they are not too long, each loaded when first
 * asked for.
 */
import { NODE_HISTORY_PATH } from '../../core/api/nodes/node-paths.ts';
import { isJsonObject, type JsonObject } from '../../core/model/json.ts';
import { lazily } from '../../core/platform/on-demand.ts';

export interface TwinReader {
  readonly read: (path: string) => Promise<JsonObject | undefined>;
  /** Whether nodes, their versions and the changes are there. */
  readonly hasPast: () => Promise<boolean>;
}

/** Makes documents of the history that lies beside the page; undefined where it would be too long. */
export type PastDocuments = (told: JsonObject) => ((path: string) => JsonObject | undefined) | undefined;

/** What makes documents of the past comes with the second script. */
export function twinReader(pastDocuments: () => Promise<PastDocuments | undefined>): TwinReader {
  const part = (name: string) =>
    lazily(async () => {
      const found = await window.gridpress.load(name).catch(() => undefined);
      return isJsonObject(found) ? found : {};
    });
  const [data, history] = [part('data'), part('history')];
  const past = lazily(async () => {
    const [documents, told] = await Promise.all([pastDocuments(), part('past')()]);
    return documents?.(told);
  });
  return {
    read: async (path) => {
      const twin = (path === NODE_HISTORY_PATH ? await history() : await data())[path];
      return isJsonObject(twin) ? twin : (await past())?.(path);
    },
    hasPast: async () => (await past()) !== undefined,
  };
}
