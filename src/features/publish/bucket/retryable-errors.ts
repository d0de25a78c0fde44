import { Failure } from '../../../core/diagnostics/failure.ts';
import { type Finding, finding } from '../../../core/diagnostics/finding.ts';
import { codeOf } from '../../../system/files/system-errors.ts';

export interface StoreError {
  readonly name: string;
  readonly status: number;
  readonly message: string;
  readonly isAbsent: boolean;
  /** A condition does not hold, or another request is changing the same object. */
  readonly isRefusal: boolean;
  readonly isUnsupported: boolean;
  readonly mayPass: boolean;
  readonly retryAfterMs?: number;
}

const PASSING = new Set([
  ...['SlowDown', 'RequestTimeout', 'RequestTimeTooSkewed', 'InternalError', 'ServiceUnavailable', 'Throttling'],
  ...['TimeoutError', 'OperationAborted', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'],
  ...['ENETUNREACH', 'EHOSTUNREACH', 'IncompleteBody', 'BadDigest', 'XAmzContentSHA256Mismatch'],
]);
const PASSING_STATUSES = new Set([408, 429, 500, 502, 503, 504]);

export function errorOf(error: unknown): StoreError {
  const said = partsOf(error);
  const { name, status, code } = said;
  const cut = /socket hang up|aborted|premature close|terminated/i.test(said.message) && status < 400;
  return {
    ...said,
    isAbsent: status === 404 && name !== 'NoSuchBucket',
    // Some answer 404 where an object with a certain ETag is to be there and none is.
    isRefusal: status === 412 || status === 409 || name === 'NoSuchKey',
    isUnsupported: status === 501,
    mayPass: cut || PASSING_STATUSES.has(status) || PASSING.has(name) || PASSING.has(code),
  };
}

function partsOf(error: unknown) {
  const status = property(property(error, '$metadata'), 'httpStatusCode');
  const seconds = Number(property(property(property(error, '$response'), 'headers'), 'retry-after'));
  return {
    name: error instanceof Error ? error.name : '',
    code: codeOf(error) ?? codeOf(property(error, 'cause')) ?? '',
    message: error instanceof Error ? error.message : String(error),
    status: typeof status === 'number' ? status : 0,
    ...(seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}),
  };
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** A store that has answered once will again; one that never did is likely not there. */
const TRIES = { answered: 10, silent: 3 } as const;
/** A store that asks to be left alone for longer is not waited for. */
const LONGEST_ASKED_MS = 120_000;

/** How many milliseconds at least another try must wait for after an error, as the store asks; undefined for no other. */
export function retryWait(error: unknown, tries: number, hasAnswered: boolean): number | undefined {
  const { name, mayPass, retryAfterMs = 0 } = errorOf(error);
  // The client sets its clock right after the first refusal, if that helps at all.
  const isBrief = !hasAnswered || name === 'RequestTimeTooSkewed';
  const isLast = tries >= TRIES[isBrief ? 'silent' : 'answered'];
  return !mayPass || isLast || retryAfterMs > LONGEST_ASKED_MS ? undefined : retryAfterMs;
}

export async function deletedInBulk(
  send: () => Promise<{ readonly Errors?: readonly { readonly Code?: string | undefined }[] | undefined }>,
): Promise<boolean> {
  try {
    const { Errors = [] } = await send();
    return Errors.length === 0;
  } catch (error) {
    if ([400, 405, 411, 501].includes(errorOf(error).status)) return false;
    throw error;
  }
}

/** A failure with a finding that says what to do. What is none of the store's is thrown as it is. */
export function failureOf(
  error: unknown,
  { bucket, endpoint }: { readonly bucket: string; readonly endpoint?: string | undefined },
): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const where = endpoint ?? 'the store';
  const said = errorOf(error);
  const found = knownFinding(said, partsOf(error).code, bucket, where);
  return found ? new Failure([found]) : error;
}

function knownFinding(error: StoreError, code: string, bucket: string, where: string): Finding | undefined {
  const { name, status, message } = error;
  if (name === 'CredentialsProviderError' || /credential/i.test(message)) return finding('bucket-no-credentials', {});
  if (/^Region is missing/.test(message)) return finding('bucket-no-region', {});
  if (name === 'NoSuchBucket') return finding('bucket-absent', { bucket, where });
  if (name === 'RequestTimeTooSkewed') return finding('bucket-skew', { where });
  if (['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'InvalidToken'].includes(name))
    return finding('bucket-credentials', { where, name });
  if (status === 403 || status === 401) return finding('bucket-denied', { bucket, where, name });
  if (status === 301 || status === 307 || name === 'PermanentRedirect')
    return finding('bucket-elsewhere', { bucket, where });
  if (code !== '' || /^(TimeoutError|AbortError)$/.test(name) || error.mayPass)
    return finding('bucket-unreachable', { where, reason: reasonFor(error, code) });
  if (status > 0) return finding('bucket-answer', { where, status, name });
  // What is no XML: a server of another kind answers there.
  if (/deserializ|parse|xml|char/i.test(`${name} ${message}`)) return finding('bucket-no-store', { where });
  return undefined;
}

function reasonFor({ name, status, message }: StoreError, code: string): string {
  if (status > 0) return `it answers with the status ${status} (${name}) again and again`;
  return code === '' ? message : code;
}
