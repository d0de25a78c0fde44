/** What answers requests, wherever it lies: a tree in a folder, or a plan that is rendered as it is asked for. */
import type { Readable } from 'node:stream';
import { type Configuration, redirectsBrowsers } from '../../core/model/configuration.ts';
import type { ManifestSummary } from '../../core/tree/manifest/manifest.ts';
import type { ServedDocument } from '../../core/tree/served-documents.ts';

export interface OpenTrees {
  readonly known: () => ServedTree;
  /** Whether no other tree stands there now. While one is swapped for another there is none at all, for a moment. */
  readonly isStill: () => boolean;
  readonly renew: () => void;
}

/** What the configuration says of answers, and no document does. */
export interface AnswerSettings {
  readonly strictTransportSecurity: string | undefined;
  /** What stands before every path on the host; requests may leave it out, as those behind a proxy do. */
  readonly basePath: string;
  readonly redirectsBrowsers: boolean;
}

/** The settings of a configuration; a tree is served without one, too. */
export function answerSettings(configuration: Configuration | undefined): AnswerSettings {
  return {
    strictTransportSecurity: configuration?.headers.strict_transport_security,
    basePath: configuration?.base_path ?? '',
    redirectsBrowsers: configuration !== undefined && redirectsBrowsers(configuration),
  };
}

export interface OpenableDocument extends ServedDocument {
  /** Undefined where it is not there any more. */
  readonly open: () => OpenBody | undefined;
}

export interface OpenBody {
  /** All of them; undefined where there are fewer than there should be. */
  readonly bytes: () => Buffer | undefined;
  /** From the first to the last of those that are asked for, or all. */
  readonly stream: (part: { readonly start?: number; readonly end?: number }) => Readable;
  /** Bytes. */
  readonly size: () => number;
  readonly close: () => void;
}

export interface ServedTree {
  readonly settings: AnswerSettings;
  readonly dialect: ManifestSummary['dialect'];
  readonly hasExplorer: boolean;
  /** By URL paths without suffix, as what follows. The manifest is a document, too. */
  readonly has: (url: string) => boolean;
  readonly get: (url: string) => OpenableDocument | undefined | Promise<OpenableDocument>;
  readonly isGone: (url: string) => boolean;
  /** What is answered for what is gone; undefined where that cannot be read now. */
  readonly tombstone: (url: string) => string | undefined;
}
