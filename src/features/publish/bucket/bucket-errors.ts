/** Decides what an error of an S3 store means: whether a request is repeated, and which finding is printed. */

import { Failure, type Finding, finding } from '../../../core/diagnostics/finding.ts';
import { truncated } from '../../../core/diagnostics/words.ts';
import { retryAfterMs } from '../../../system/client/retry.ts';
import { codeOf } from '../../../system/files/system-errors.ts';

type StoreError = ReturnType<typeof errorOf>;

const TRANSIENT_CODES = new Set([
  ...['SlowDown', 'RequestTimeout', 'RequestTimeTooSkewed', 'InternalError', 'ServiceUnavailable', 'Throttling'],
  ...['TimeoutError', 'OperationAborted', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'],
  ...['ENETUNREACH', 'EHOSTUNREACH', 'IncompleteBody', 'BadDigest', 'XAmzContentSHA256Mismatch'],
]);
const TRANSIENT_STATUSES = new Set([408, 429, 500, 502, 503, 504]);

export function errorOf(error: unknown) {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
  const status = Number(property(property(error, '$metadata'), 'httpStatusCode') ?? 0);
  const code = codeOf(error) ?? codeOf(property(error, 'cause')) ?? '';
  const retryAfter = property(property(property(error, '$response'), 'headers'), 'retry-after');
  const isCut = /socket hang up|aborted|premature close|terminated/i.test(message) && status < 400;
  return {
    name,
    message,
    status,
    code,
    retryAfterMs: retryAfterMs(retryAfter, Date.now()),
    isAbsent: status === 404 && name !== 'NoSuchBucket',
    // The condition of a write is not met, or another request changes the object. Some stores answer If-Match with 404.
    isRefusal: status === 412 || status === 409 || name === 'NoSuchKey',
    isUnsupported: status === 501,
    mayPass: isCut || TRANSIENT_STATUSES.has(status) || TRANSIENT_CODES.has(name) || TRANSIENT_CODES.has(code),
  };
}

/** Returns an error with the name that `errorOf` treats as transient. */
export function timeoutError(message: string): Error {
  return Object.assign(new Error(message), { name: 'TimeoutError' });
}

export function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The maximum numbers of attempts. A store that never answered probably does not exist. */
const TRIES = { answered: 10, silent: 3 } as const;
/** The maximum Retry-After time. A longer time ends the attempts. */
const MAX_RETRY_AFTER_MS = 120_000;

/** Returns the minimum pause in milliseconds, or undefined if no further attempt follows. */
export function retryWait(error: unknown, tries: number, hasAnswered: boolean): number | undefined {
  if (error instanceof Failure) return undefined;
  const { name, mayPass, retryAfterMs } = errorOf(error);
  // The S3 client corrects its clock after the first RequestTimeTooSkewed, so many attempts do not help.
  const isBrief = !hasAnswered || name === 'RequestTimeTooSkewed';
  const isLast = tries >= TRIES[isBrief ? 'silent' : 'answered'];
  return !mayPass || isLast || retryAfterMs > MAX_RETRY_AFTER_MS ? undefined : retryAfterMs;
}

interface StoreAddress {
  readonly bucket: string;
  readonly endpoint?: string | undefined;
}

/** Returns the name of the store in messages. */
export function storeName({ endpoint = 'the store' }: Pick<StoreAddress, 'endpoint'>): string {
  return endpoint;
}

/** Converts errors of the store to failures, and returns other errors unchanged. */
export function failureOf(error: unknown, { bucket, endpoint }: StoreAddress): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const found = knownFinding(errorOf(error), bucket, storeName({ endpoint }));
  return found ? new Failure([found]) : error;
}

/** The store chooses the name of an error, so the name can have any length. */
const MAX_NAME = 100;
/** The form of error codes of S3. A store could return other text, such as the session token of the request. */
const NAME_PATTERN = /^[A-Za-z0-9.]+$/;

function knownFinding(error: StoreError, bucket: string, where: string): Finding | undefined {
  const { status, code, message } = error;
  const name = truncated(NAME_PATTERN.test(error.name) ? error.name : 'Unknown', MAX_NAME);
  if (name === 'CredentialsProviderError' || (status === 0 && /credential/i.test(message)))
    return finding('bucket-no-credentials', {});
  if (/^Region is missing/.test(message)) return finding('bucket-no-region', {});
  if (name === 'NoSuchBucket') return finding('bucket-absent', { bucket, where });
  if (name === 'RequestTimeTooSkewed') return finding('bucket-skew', { where });
  if (['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'InvalidToken'].includes(name))
    return finding('bucket-credentials', { where, name });
  if (status === 403 || status === 401) return finding('bucket-denied', { bucket, where, name });
  if (status === 301 || status === 307 || name === 'PermanentRedirect')
    return finding('bucket-elsewhere', { bucket, where });
  if (code !== '' || /^(TimeoutError|AbortError)$/.test(name) || error.mayPass)
    return finding('bucket-unreachable', { where, reason: reasonFor(error, name) });
  // The S3 client cannot parse the response.
  if (status >= 200 && status < 300) return finding('bucket-no-store', { where });
  if (status > 0) return finding('bucket-answer', { where, status, name });
  // A response that is not XML comes from another kind of server.
  if (/deserializ|parse|xml|char/i.test(`${name} ${message}`)) return finding('bucket-no-store', { where });
  return undefined;
}

function reasonFor({ status, code, message }: StoreError, name: string): string {
  if (status > 0) return `it answers with the status ${status} (${name}) again and again`;
  return code === '' ? message : code;
}
