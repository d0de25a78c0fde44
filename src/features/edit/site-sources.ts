import { KINDS } from '../../core/model/kinds.ts';
import { subjectAt } from '../../core/model/resource-path.ts';
import { modeline } from '../../core/registry/editor-schemas.ts';
import { fileOfResource, SCHEMAS_FOLDER } from '../../core/registry/layout.ts';
import { encodeYaml } from '../../core/registry/yaml/write-yaml.ts';

export interface Source {
  /** The path relative to the registry. */
  readonly file: string;
  /** The kind of the resource in a new file. The file's modeline names the schema of this kind. */
  readonly kind?: string;
  readonly text: string;
  /** The file that this file replaces, relative to the registry. The new file gets its mode. */
  readonly movedFrom?: string;
}

export function sourceAt(path: string, text: string): Source {
  const subject = subjectAt(path, KINDS);
  return { file: fileOfResource(subject), kind: subject.kind.name, text };
}

interface NewSite {
  readonly uid: string;
  /** Only `baremetal` sites have clusters. */
  readonly siteClass: string;
  readonly cluster: string | undefined;
}

export function siteSources({ uid, siteClass, cluster }: NewSite): Source[] {
  const site = sourceAt(`sites/${uid}`, siteText(uid, siteClass));
  return cluster === undefined ? [site] : [site, clusterSource(`sites/${uid}`, cluster)];
}

export function clusterSource(site: string, uid: string): Source {
  return sourceAt(`${site}/clusters/${uid}`, encodeYaml({ type: 'cluster', uid }));
}

function siteText(uid: string, siteClass: string): string {
  return `${encodeYaml({ type: 'site', uid, name: uid, site_class: siteClass })}# Optional fields: fill them in and remove the "# ".
# description: What is special about this site
# location: City, Country
# latitude: 0.0            # decimal degrees, north positive
# longitude: 0.0           # decimal degrees, east positive
# web: https://testbed.example.org
# email_contact: contact@testbed.example.org
# security_contact: security@testbed.example.org
# sys_admin_contact: admin@testbed.example.org
# user_support_contact: help@testbed.example.org
`;
}

/** Maps the names of files to their texts. If the project has schemas for editors, each new file begins with a modeline. */
export function textsOf(sources: readonly Source[], hasSchemas: boolean): Map<string, string> {
  const texts = sources.map(({ file, kind, text }) => {
    const root = '../'.repeat(file.split('/').length);
    return [file, hasSchemas && kind !== undefined ? modeline(root + SCHEMAS_FOLDER, kind) + text : text] as const;
  });
  return new Map(texts);
}
