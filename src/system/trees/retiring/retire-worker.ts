/** The second thread of a removal. */
import { serveRequests } from '../../threads/thread.ts';
import { helpRetiring, type RetireInput, type RetireReply, type RetireRequest } from './retire-together.ts';

serveRequests<RetireInput, RetireRequest, RetireReply>((input) => () => {
  helpRetiring(input);
  return undefined;
});
