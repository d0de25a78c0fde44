/** Many checks look at the same document: plain requests for it are sent once, and what asks for more each time. */
import type { ProbeResponse, SendRequest } from '../../api/http-exchange.ts';

/** In bytes. Larger bodies are asked for again, so that they need not all be held. */
const LARGEST_KEPT = 1 << 20;

export function askOnce(ask: SendRequest): SendRequest {
  const answers = new Map<string, ProbeResponse>();
  return async (request) => {
    const { path, method = 'GET', headers } = request;
    if (method !== 'GET' || headers !== undefined) return await ask(request);
    const known = answers.get(path);
    if (known) return known;
    const answer = await ask(request);
    if (answer.body.length <= LARGEST_KEPT) answers.set(path, answer);
    return answer;
  };
}
