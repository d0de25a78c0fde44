import { isJsonObject } from '../../../core/model/json.ts';

export interface StoreClock {
  readonly asked: () => void;
  readonly answered: (response: unknown) => void;
  readonly hasAnswered: () => boolean;
  /** Epoch seconds; the own clock's until there is an answer. */
  readonly now: () => number;
  readonly requests: () => number;
}

export function storeClock(): StoreClock {
  let requests = 0;
  let ahead: number | undefined;
  return {
    asked: () => {
      requests++;
    },
    answered: (response) => {
      const headers = objectOf(objectOf(response)['headers']);
      const date = Date.parse(String(headers['date'] ?? ''));
      if (!Number.isNaN(date)) ahead = date / 1000 - performance.now() / 1000;
    },
    hasAnswered: () => ahead !== undefined,
    now: () => (ahead === undefined ? Date.now() / 1000 : ahead + performance.now() / 1000),
    requests: () => requests,
  };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}
