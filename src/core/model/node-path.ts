/** The paths of nodes. This file imports nothing, because the first script of the explorer contains it. */

interface NodePlace {
  readonly site: string;
  readonly cluster: string;
  readonly uid: string;
}

export function nodePath({ site, cluster, uid }: NodePlace): string {
  return `sites/${site}/clusters/${cluster}/nodes/${uid}`;
}

/** Reverses `nodePath`. */
export function nodePlace(path: string): NodePlace {
  const [, site = '', , cluster = '', , uid = ''] = path.split('/');
  return { site, cluster, uid };
}
