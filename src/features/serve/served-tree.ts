/** A served tree is a folder, or a plan whose documents are rendered on request. */
import type { Readable } from 'node:stream';
import { type Configuration, redirectsBrowsers } from '../../core/model/configuration.ts';
import type { CommonHeaders } from '../../core/tree/headers.ts';
import type { ManifestSummary } from '../../core/tree/manifest/manifest.ts';
import type { ServedDocument } from '../../core/tree/served-documents.ts';

export interface OpenTrees {
  readonly current: () => ServedTree;
  /** Returns false if another tree has replaced the current tree. Returns true while the folder contains no tree. */
  readonly isCurrent: () => boolean;
  readonly reload: () => void;
}

export interface AnswerSettings extends Pick<CommonHeaders, 'strictTransportSecurity' | 'license' | 'sunset'> {
  /** The path prefix on the host. A request can omit this prefix, for example behind a proxy. */
  readonly basePath: string;
  readonly redirectsBrowsers: boolean;
}

export function answerSettings(configuration: Configuration | undefined): AnswerSettings {
  return {
    strictTransportSecurity: configuration?.headers.strict_transport_security,
    license: configuration?.citation?.license,
    sunset: configuration?.sunset,
    basePath: configuration?.base_path ?? '',
    redirectsBrowsers: configuration !== undefined && redirectsBrowsers(configuration),
  };
}

export interface OpenableDocument extends ServedDocument {
  /** Returns undefined if the file is missing at the moment. */
  readonly open: () => OpenBody | undefined;
}

export interface OpenBody {
  /** Returns undefined if the file is shorter than its size in the manifest. */
  readonly bytes: () => Buffer | undefined;
  /** `start` and `end` are inclusive. */
  readonly stream: (part: { readonly start?: number; readonly end?: number }) => Readable;
  readonly size: () => number;
  readonly close: () => void;
}

export interface ServedTree {
  readonly settings: AnswerSettings;
  readonly dialect: ManifestSummary['dialect'];
  readonly hasExplorer: boolean;
  /** Whether a document has this URL path (without suffix). The manifest counts as a document. */
  readonly has: (url: string) => boolean;
  readonly get: (url: string) => OpenableDocument | undefined | Promise<OpenableDocument>;
  readonly isGone: (url: string) => boolean;
  /** The body of a 410 response. Undefined if the body cannot be read at the moment. */
  readonly tombstone: (url: string) => string | undefined;
}
