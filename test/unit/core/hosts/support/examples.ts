/** One path for every endpoint that a host serves, with uids that resemble parts of other paths. */
import type { HostRules, PathClass } from '../../../../../src/core/hosts/rules.ts';
import { REVISION } from './fixture.ts';

export interface Example {
  /** The path without prefix and suffix. */
  readonly url: string;
  readonly answered: PathClass;
  /** True for `R/versions/latest`. */
  readonly isLatest: boolean;
}

const UIDS: Readonly<Record<string, string>> = {
  site_uid: 'jobs',
  cluster_uid: 'nodes',
  node_uid: 'status',
  flavor_uid: 'flavors',
  version_id: REVISION,
  page: '7',
};

export function examples({ classes }: HostRules): Example[] {
  return classes.flatMap((answered) =>
    answered.templates.map((template) => ({ url: filled(template), answered, isLatest: template.endsWith('/latest') })),
  );
}

export interface RawExample {
  readonly url: string;
  readonly mediaType: string;
}

/** Examples of raw documents, which have one form each. */
export function rawExamples({ raw }: HostRules): RawExample[] {
  return raw.flatMap(({ mediaType, templates }) => templates.map((template) => ({ url: filled(template), mediaType })));
}

function filled(template: string): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => UIDS[name] ?? name);
}
