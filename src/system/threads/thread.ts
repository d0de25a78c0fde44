/**
 * Threads that are asked to do things, one after the other: both ends of the messages between them and the main one.
 * What a request and a reply are, each use says as types. A thread that has failed does nothing more, and tells the
 * findings, or the bug, to whoever asks it next.
 */
import { parentPort, type ResourceLimits, Worker, workerData } from 'node:worker_threads';
import { Failure } from '../../core/diagnostics/failure.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { codeOf } from '../files/system-errors.ts';

/** A thread as the main one sees it. */
export interface Thread<Request, Reply> {
  /** Has something done, and waits for nothing. */
  readonly send: (request: Request) => void;
  /** Waits until all before it and itself are done. Fails as the thread did. */
  readonly ask: (request: Request) => Promise<Reply>;
  /** Ends it, whatever it is doing. */
  readonly stop: () => Promise<void>;
}

interface Message<Request> {
  readonly request: Request;
  readonly isAsked: boolean;
}

type Answer<Reply> = { readonly reply: Reply } | { readonly findings: readonly Finding[] };

interface Waiting<Reply> {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

/** Starts a thread on a compiled module that calls `serveRequests`; `input` is what it is given there. */
export function startThread<Request, Reply>(
  module: URL,
  input: unknown,
  resourceLimits: ResourceLimits = {},
): Thread<Request, Reply> {
  const worker = new Worker(module, { workerData: input, resourceLimits });
  const waiting: Waiting<Reply>[] = [];
  let end: { readonly error: unknown } | undefined;
  const endWith = (error: unknown) => {
    end ??= { error };
    for (const { reject } of waiting.splice(0)) reject(end.error);
  };
  worker.on('message', (answer: Answer<Reply>) => {
    if ('findings' in answer) endWith(new Failure(answer.findings));
    else waiting.shift()?.resolve(answer.reply);
  });
  worker.on('error', (error) => endWith(isOutOfMemory(error) ? new Failure([finding('out-of-memory', {})]) : error));
  worker.on('exit', () => endWith(new Error('a thread ended before it had answered')));
  const post = (message: Message<Request>) => worker.postMessage(message);
  return {
    send: (request) => post({ request, isAsked: false }),
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (end) return reject(end.error);
        waiting.push({ resolve, reject });
        post({ request, isAsked: true });
      }),
    stop: async () => {
      await worker.terminate();
    },
  };
}

const isOutOfMemory = (error: unknown) => codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * The other end, in the module that the thread runs: `begin` takes the input, and gives what does each request. A system
 * error loses its code on the way to another thread, so it must be a finding before it gets here.
 */
export function serveRequests<Input, Request, Reply>(begin: (input: Input) => (request: Request) => Reply): void {
  const port = parentPort;
  if (!port) return;
  const answered = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failure ??= { findings: error.findings };
      return undefined;
    }
  };
  let failure: Answer<Reply> | undefined;
  const input: Input = workerData;
  const handle = answered(() => begin(input));
  port.on('message', ({ request, isAsked }: Message<Request>) => {
    const answer = failure ? undefined : answered(() => handle && { reply: handle(request) });
    if (isAsked) port.postMessage(failure ?? answer);
  });
}
