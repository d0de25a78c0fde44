/** The URLs that a crawl has found, of which there can be hundreds of thousands: each once, and the queue in columns. */
import { itemAt, mustGet } from '../../core/platform/certain.ts';
import { numberColumn } from '../../core/platform/packed-columns.ts';

/** A URL to ask for. */
export interface FoundUrl {
  readonly url: string;
  /** Where the link to it was first seen; undefined where the crawl begins. */
  readonly from: string | undefined;
}

export interface FoundUrls {
  /** Undefined where it was not found. */
  readonly numberOf: (url: string) => number | undefined;
  /** A URL that was not found before, and whether it is to be asked for. `from` is one that was found. */
  readonly add: (found: FoundUrl, isAsked: boolean) => void;
  /** How many are to be asked for. */
  readonly count: () => number;
  /** In the order in which they were found; undefined behind the last one. */
  readonly at: (index: number) => FoundUrl | undefined;
}

export function foundUrls(): FoundUrls {
  // Services choose what is looked up here: the engine's maps are safe from texts that are made to collide.
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  const asked = numberColumn(Uint32Array);
  /** The numbers of URLs, counted from 1; 0 where there is none. */
  const froms = numberColumn(Uint32Array);
  let count = 0;
  return {
    numberOf: (url) => numbers.get(url),
    add: ({ url, from }, isAsked) => {
      const number = texts.push(url) - 1;
      numbers.set(url, number);
      if (!isAsked) return;
      asked.add(number);
      froms.add(from === undefined ? 0 : mustGet(numbers, from) + 1);
      count++;
    },
    count: () => count,
    at: (index) => {
      if (index >= count) return undefined;
      const from = froms.at(index);
      return { url: itemAt(texts, asked.at(index)), from: from === 0 ? undefined : itemAt(texts, from - 1) };
    },
  };
}
