/** What views say of a revision: its id, as a link to what it did, and the classes of fields that it changed. */
import { versionUrl } from '../../core/api/urls.ts';
import type { DocumentReader } from '../data/reader.ts';
import { shortRevision } from './value.tsx';

interface RevisionLinkProps {
  readonly reader: DocumentReader;
  readonly id: string;
  /** Of the resource whose version it leads to; empty for the registry. */
  readonly path?: string;
}

export function RevisionLink({ reader, id, path = '' }: RevisionLinkProps) {
  return (
    <a href={reader.urlOf(versionUrl(path, id))}>
      <code>{shortRevision(id)}</code>
    </a>
  );
}

export function Tags({ names }: { names: readonly string[] }) {
  return (
    <>
      {names.map((name) => (
        <span key={name} class="tag">
          {name}
        </span>
      ))}
    </>
  );
}
