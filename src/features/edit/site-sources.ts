import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KINDS } from '../../core/model/kinds.ts';
import { subjectAt } from '../../core/model/resource-path.ts';
import { modeline } from '../../core/registry/editor-schemas.ts';
import { fileOfResource, SCHEMAS_FOLDER } from '../../core/registry/layout.ts';
import { encodeYaml } from '../../core/registry/yaml/write-yaml.ts';
import { replaceFile } from '../../system/files/replace-file.ts';

export interface Source {
  /** The path relative to the registry. */
  readonly file: string;
  readonly kind: string;
  readonly text: string;
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
  return `type: site
uid: ${uid}
name: ${uid}
site_class: ${siteClass}
# Optional fields: fill them in and remove the "# ".
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

/** Writes new files. If one of them cannot be written, deletes them all again. */
export function writeSources(registry: string, sources: readonly Source[]): void {
  const hasSchemas = existsSync(join(dirname(registry), SCHEMAS_FOLDER));
  const written: string[] = [];
  try {
    for (const { file, kind, text } of sources) {
      const root = '../'.repeat(file.split('/').length);
      replaceFile(registry, file, hasSchemas ? modeline(root + SCHEMAS_FOLDER, kind) + text : text);
      written.push(file);
    }
  } catch (error) {
    for (const file of written) rmSync(join(registry, file), { force: true });
    throw error;
  }
}
