/** The check of what was removed: its path answers with its tombstone, which leads to its history. */
import { PROBLEM_MEDIA_TYPE } from '../../api/dialect.ts';
import { jsonOf, mediaTypeOf, type SendRequest } from '../../api/http-exchange.ts';
import { isJsonObject } from '../../model/json.ts';
import { answeredForms } from '../../tree/url-forms.ts';
import { expectProblem } from './misses.ts';
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
      else await expectHistory(ask, form, hrefOf(tombstone, 'version-history'), fails);
    }
    const head = await ask({ path: url, method: 'HEAD' });
    if (head.status !== 410) fails(`HEAD ${url}`, `answers ${head.status}, not 410`);
    else if (mediaTypeOf(head) !== PROBLEM_MEDIA_TYPE)
      fails(`HEAD ${url}`, `is 410 as ${mediaTypeOf(head) || 'no media type'}`);
  }
};

async function expectHistory(
  ask: SendRequest,
  request: string,
  href: string | undefined,
  fails: (request: string, says: string) => void,
): Promise<void> {
  const status = href === undefined ? undefined : (await ask({ path: href })).status;
  if (status !== 200) fails(request, `leads to no history: ${href ?? 'no link'}`);
}
