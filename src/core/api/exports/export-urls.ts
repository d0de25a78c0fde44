import { RAW_FORMS, type RawForm } from '../raw-forms.ts';
import { EXPORTS_FOLDER } from '../urls.ts';

const BASE = `/${EXPORTS_FOLDER}`;

/** The path of the description of all exports. Data Package requires this file in the folder of the exports. */
export const DATA_PACKAGE_PATH = `${BASE}/datapackage`;
export const CHANGE_EXPORT_PATH = `${BASE}/changes${RAW_FORMS.csv.ending}`;

/** `site` is a uid. An export without `site` contains the nodes of all sites. */
export function nodeExportUrl(form: 'ndjson' | 'csv', site: string | undefined): string {
  return `${folderOf(site)}/nodes${RAW_FORMS[form].ending}`;
}

export function hardwareUrl(form: 'markdown' | 'html'): string {
  return `${BASE}/hardware${RAW_FORMS[form].ending}`;
}

export function inventoryUrl(site: string | undefined): string {
  return `${folderOf(site)}/inventory${RAW_FORMS.yaml.ending}`;
}

export function targetsUrl(site: string | undefined): string {
  return `${folderOf(site)}/prometheus`;
}

function folderOf(site: string | undefined): string {
  return site === undefined ? BASE : `${BASE}/sites/${site}`;
}

export function pathInPackage(url: string): string {
  return url.slice(BASE.length + 1);
}

export type ExportContent = 'exports' | 'hardware' | 'node-export' | 'change-export' | 'inventory' | 'targets';

type ExportRow = readonly [template: string, content: ExportContent, form: 'item' | RawForm];

/** The table of all exports. If a registry has too many nodes for one export, each site has its own node exports. */
export const EXPORT_ROWS: readonly ExportRow[] = [
  [DATA_PACKAGE_PATH, 'exports', 'item'],
  [CHANGE_EXPORT_PATH, 'change-export', 'csv'],
  [hardwareUrl('markdown'), 'hardware', 'markdown'],
  [hardwareUrl('html'), 'hardware', 'html'],
  ...[undefined, '{site_uid}'].flatMap((site): ExportRow[] => [
    [nodeExportUrl('ndjson', site), 'node-export', 'ndjson'],
    [nodeExportUrl('csv', site), 'node-export', 'csv'],
    [inventoryUrl(site), 'inventory', 'yaml'],
    [targetsUrl(site), 'targets', 'item'],
  ]),
];
