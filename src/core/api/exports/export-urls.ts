/** The URLs of what others' programs read: the endpoint table has them from here. */
import { RAW_FORMS, type RawForm } from '../raw-forms.ts';
import { EXPORTS_FOLDER } from '../urls.ts';

const BASE = `/${EXPORTS_FOLDER}`;

/** What there is. All the rest is below its folder, as data packages have it. */
export const DATA_PACKAGE_PATH = `${BASE}/datapackage`;
export const CHANGE_EXPORT_PATH = `${BASE}/changes${RAW_FORMS.csv.ending}`;

/** All nodes, or those of a site: a JSON object in each line, or a table. */
export function nodeExportUrl(form: 'ndjson' | 'csv', site: string | undefined): string {
  return `${folderOf(site)}/nodes${RAW_FORMS[form].ending}`;
}

/** The same as an inventory of Ansible. */
export function inventoryUrl(site: string | undefined): string {
  return `${folderOf(site)}/inventory${RAW_FORMS.yaml.ending}`;
}

/** The same as targets of Prometheus. */
export function targetsUrl(site: string | undefined): string {
  return `${folderOf(site)}/prometheus`;
}

function folderOf(site: string | undefined): string {
  return site === undefined ? BASE : `${BASE}/sites/${site}`;
}

/** An exported file's path as seen from the data package. */
export function pathInPackage(url: string): string {
  return url.slice(BASE.length + 1);
}

/** What is exported: the data package, nodes, changes, and nodes as hosts of Ansible and targets of Prometheus. */
export type ExportContent = 'exports' | 'node-export' | 'change-export' | 'inventory' | 'targets';

type ExportRow = readonly [template: string, content: ExportContent, form: 'item' | RawForm];

/** The templates of these URLs, each with what it answers: all nodes, or those of a site where all would be too many. */
export const EXPORT_ROWS: readonly ExportRow[] = [
  [DATA_PACKAGE_PATH, 'exports', 'item'],
  [CHANGE_EXPORT_PATH, 'change-export', 'csv'],
  ...[undefined, '{site_uid}'].flatMap((site): ExportRow[] => [
    [nodeExportUrl('ndjson', site), 'node-export', 'ndjson'],
    [nodeExportUrl('csv', site), 'node-export', 'csv'],
    [inventoryUrl(site), 'inventory', 'yaml'],
    [targetsUrl(site), 'targets', 'item'],
  ]),
];
