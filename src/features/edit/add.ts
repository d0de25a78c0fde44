import { fail, finding } from '../../core/diagnostics/finding.ts';
import { ANY_CLUSTER } from '../../core/model/configuration.ts';
import { kindNamed } from '../../core/model/kinds.ts';
import { lastSegment } from '../../core/model/resource-path.ts';
import { uidProblem } from '../../core/model/uid.ts';
import { UID_CODES } from '../../core/registry/rules.ts';
import { encodeYaml } from '../../core/registry/yaml/write-yaml.ts';
import { applyEdits, type Edited } from './apply-edits.ts';
import { findResource, findSite } from './find-resource.ts';
import { templateOf } from './new-body.ts';
import type { EditOptions } from './pending-edit.ts';
import { clusterSource, siteSources, sourceAt } from './site-sources.ts';

const BARE_METAL = 'baremetal';

export interface AddSiteOptions extends EditOptions {
  readonly uid: string;
  readonly siteClass: string;
  /** The uid of the first cluster. For bare-metal sites, the default is the setting `cluster_uid`. */
  readonly cluster?: string | undefined;
}

export function addSite({ uid, siteClass, cluster: given, ...options }: AddSiteOptions): Edited {
  return applyEdits(options, ({ configuration: { cluster_uid: usual } }) => {
    rejectInvalidUid('site', uid);
    const isBareMetal = siteClass === BARE_METAL;
    if (isBareMetal && given === undefined && usual === ANY_CLUSTER) fail(finding('add-site-cluster', { site: uid }));
    const cluster = given ?? (isBareMetal ? usual : undefined);
    if (cluster !== undefined) rejectInvalidUid('cluster', cluster);
    if (isBareMetal && cluster !== undefined) rejectOtherCluster({ site: uid, cluster, usual });
    return { sources: siteSources({ uid, siteClass, cluster }), names: [uid], left: [] };
  });
}

export interface AddClusterOptions extends EditOptions {
  readonly uid: string;
  readonly site: string;
}

export function addCluster({ uid, site, ...options }: AddClusterOptions): Edited {
  return applyEdits(options, (sources) => {
    rejectInvalidUid('cluster', uid);
    const { subject, body } = findSite(site, sources);
    const { path } = subject;
    const usual = sources.configuration.cluster_uid;
    if (body['site_class'] === BARE_METAL) rejectOtherCluster({ site: lastSegment(path), cluster: uid, usual });
    return { sources: [clusterSource(path, uid)], names: [uid], left: [] };
  });
}

/** Fails if the new cluster would make the registry invalid. */
function rejectOtherCluster({ site, cluster, usual }: { site: string; cluster: string; usual: string }): void {
  if (usual !== ANY_CLUSTER && cluster !== usual) fail(finding('add-cluster-uid', { site, cluster, expected: usual }));
}

export interface AddFlavorOptions extends AddClusterOptions {
  readonly like?: string | undefined;
}

export function addFlavor({ uid, site, like, ...options }: AddFlavorOptions): Edited {
  return applyEdits(options, (sources) => {
    rejectInvalidUid('flavor', uid);
    const { path } = findSite(site, sources).subject;
    const template =
      like === undefined
        ? { vcpus: null, ram_size: null, disk_size: null, gpu: { gpu: false } }
        : templateOf(kindNamed('flavor'), findResource(like, ['flavor'], sources).body).body;
    const text = encodeYaml({ type: 'flavor', uid, name: uid, ...template });
    return { sources: [sourceAt(`${path}/flavors/${uid}`, text)], names: [uid], left: [] };
  });
}

function rejectInvalidUid(kind: 'site' | 'cluster' | 'flavor', uid: string): void {
  const problem = uidProblem(uid, kindNamed(kind), 'name');
  if (problem) fail(finding(UID_CODES[problem], { uid }));
}
