/** A lease with the command line of OpenStack and its plugin for Blazar; each site is a cloud of its own. */
import type { SnippetContext, SnippetSite } from './snippet-context.ts';

export function openstackSnippet({ sites }: SnippetContext): string[] {
  return [
    '# pip install python-openstackclient python-blazarclient',
    "END=$(date -u -d '+1 day' '+%Y-%m-%d %H:%M')  # in UTC; on macOS: date -u -v+1d '+%Y-%m-%d %H:%M'",
    ...sites.flatMap(siteLines),
  ];
}

function siteLines({ uid, name, nodes }: SnippetSite): string[] {
  return [
    '',
    `# with the credentials of ${name}`,
    'openstack reservation lease create \\',
    ...nodes.map(
      (node) =>
        `  --reservation min=1,max=1,resource_type=physical:host,resource_properties='["==", "$uid", "${node.uid}"]' \\`,
    ),
    '  --end-date "$END" \\',
    `  my-lease-${uid}`,
  ];
}
