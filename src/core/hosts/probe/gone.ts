/** The check of what was removed: its path answers with its tombstone, which leads to its history. */
import { jsonOf } from '../../api/http-exchange.ts';
import { isJsonObject } from '../../model/json.ts';
import { answeredForms } from '../../tree/url-forms.ts';
import { expectProblem, expectProblemHead } from './misses.ts';
import type { Check } from './probing.ts';
import { hrefOf } from './removed-paths.ts';

/** What a tombstone has in common with a miss. */
const COMMON = ['allow', 'vary', 'link', 'access-control-allow-origin', 'x-content-type-options'];

export const checkGone: Check = async ({ ask, sample, fails }) => {
  const miss = await ask({ path: '/nope' });
  for (const url of sample.gone) {
    for (const form of answeredForms(url)) {
      const response = await ask({ path: form });
      expectProblem(response, 410, form, fails);
      if (response.status !== 410) continue;
      for (const name of COMMON) {
        if (response.headers[name] !== miss.headers[name]) fails(form, `has another ${name} than a miss`);
      }
      const tombstone = jsonOf(response);
      const uid = url.slice(url.lastIndexOf('/') + 1);
      if (!isJsonObject(tombstone) || tombstone['uid'] !== uid) fails(form, 'is not its own tombstone');
      else {
        const href = hrefOf(tombstone, 'version-history');
        const history = href === undefined ? undefined : await ask({ path: href });
        if (history?.status !== 200) fails(form, `leads to no history: ${href ?? 'no link'}`);
      }
    }
    await expectProblemHead(ask, 410, url, fails);
  }
};
