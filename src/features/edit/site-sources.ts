/** The sources of a new site, as texts: what is known is filled in, and the rest waits in comments. */

import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KINDS } from '../../core/model/kinds.ts';
import { subjectAt } from '../../core/model/resource-path.ts';
import { modeline } from '../../core/registry/editor-schemas.ts';
import { fileOfResource } from '../../core/registry/layout.ts';
import { SCHEMAS_FOLDER } from '../../core/registry/schema-files.ts';
import { encodeYaml } from '../../core/registry/yaml/write-yaml.ts';
import { replaceFile } from '../../system/files/replace-file.ts';

export interface Source {
  /** The path below the registry. */
  readonly file: string;
  readonly kind: string;
  readonly text: string;
}

/** The source of a resource, by its path. */
export function sourceAt(path: string, text: string): Source {
  const subject = subjectAt(path, KINDS);
  return { file: fileOfResource(subject), kind: subject.kind.name, text };
}

interface NewSite {
  readonly uid: string;
  /** `baremetal` has nodes behind clusters; others have none. */
  readonly siteClass: string;
  /** The uid of the cluster that it begins with; undefined for none. */
  readonly cluster: string | undefined;
}

export function siteSources({ uid, siteClass, cluster }: NewSite): Source[] {
  const site = sourceAt(`sites/${uid}`, siteText(uid, siteClass));
  return cluster === undefined ? [site] : [site, clusterSource(`sites/${uid}`, cluster)];
}

/** A new cluster of the site at a path. */
export function clusterSource(site: string, uid: string): Source {
  return sourceAt(`${site}/clusters/${uid}`, encodeYaml({ type: 'cluster', uid }));
}

function siteText(uid: string, siteClass: string): string {
  return `type: site
uid: ${uid}
name: ${uid}
site_class: ${siteClass}
# What people look for at a site; fill it in, and take the "# " away.
# description: What this site has that others have not
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

/** Writes new files below a registry. Where one cannot be written, those before it are taken away again. */
export function writeSources(registry: string, sources: readonly Source[]): void {
  const hasSchemas = existsSync(join(dirname(registry), SCHEMAS_FOLDER));
  const written: string[] = [];
  try {
    for (const { file, kind, text } of sources) {
      const way = '../'.repeat(file.split('/').length);
      replaceFile(registry, file, hasSchemas ? modeline(way + SCHEMAS_FOLDER, kind) + text : text);
      written.push(file);
    }
  } catch (error) {
    for (const file of written) rmSync(join(registry, file), { force: true });
    throw error;
  }
}
