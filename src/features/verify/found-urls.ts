/**
 * The URLs that a crawl has found, of which there can be hundreds of thousands: texts outside of the heap, and the queue of
 * those to ask for in columns.
 */
import { numberColumn } from '../../core/platform/packed-columns.ts';
import { packedTexts } from '../../core/platform/packed-texts.ts';

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
  const texts = packedTexts();
  const urls = numberColumn(Uint32Array);
  /** The numbers of texts, counted from 1; 0 where there is none. */
  const froms = numberColumn(Uint32Array);
  let count = 0;
  return {
    numberOf: (url) => texts.find(wellFormed(url)),
    add: ({ url, from }, isAsked) => {
      const number = texts.add(wellFormed(url));
      if (!isAsked) return;
      urls.add(number);
      froms.add(from === undefined ? 0 : texts.add(wellFormed(from)) + 1);
      count++;
    },
    count: () => count,
    at: (index) => {
      if (index >= count) return undefined;
      const from = froms.at(index);
      return { url: texts.at(urls.at(index)), from: from === 0 ? undefined : texts.at(from - 1) };
    },
  };
}

/** As it is asked for: in what is sent, this character takes the place of half a pair. */
function wellFormed(url: string): string {
  return url.replace(/\p{Surrogate}/gu, '\ufffd');
}
