/** Replaces remedies that name commands or options, because an assistant calls tools with arguments instead. */
import type { FindingCode } from '../../core/diagnostics/finding.ts';
import { isJsonObject, itemsIn, type Json, parsedJson } from '../../core/model/json.ts';
import { printableJson } from '../../core/platform/text.ts';

const TOOL_FIXES: Partial<Record<FindingCode, string>> = {
  'collection-not-compared':
    'To list the changes of the collection, call diff with two dates as from and to, and with the collection as resource.',
  'lock-elsewhere': 'The lock file may be of another testbed. This server reads only one testbed.',
  'lock-newer': 'The lock file needs a newer version of this server.',
  'lock-not-json': 'Pass the whole text of the lock file.',
  'lock-other-file': 'Pass the whole text of a lock file.',
  'moment-or-resource':
    'To compare a node with its earlier state, call diff with NODE@DATE as from and NODE as to. To list its changes, call diff with a date as from and with the node as resource.',
  'no-snapshot':
    'Call show, diff or log instead, because only find and describe_fields need a snapshot. Or ask the operator for a snapshot of this revision.',
  'no-version-at': 'Call log for the revisions of the resource, or ask the operator for more version links.',
  'query-expected': 'Call describe_fields for the fields. Write a condition such as gpu.gpu_count >= 2.',
  'query-field': 'Call describe_fields for the fields.',
  'query-units': 'Compare fields that have the same unit. Call describe_fields for the units.',
  'query-value': 'Call describe_fields for the fields and their values.',
  'resource-not-at': 'Call log for the revisions of the resource.',
  'site-requests': 'Ask for fewer nodes, or for a shorter time.',
  'unknown-revision': 'Write a date as 2026-03-31, or call log for the revisions.',
  usage: 'Correct the arguments.',
};

/**
 * Returns a replacement for a remedy that names a command or an option. Returns undefined for other remedies, and if no
 * replacement is known.
 */
export function toolFixOf(code: string, fix: string): string | undefined {
  const namesCommand = /\bgridpress\b|(^|[\s(])--[a-z]/.test(fix);
  return namesCommand ? Object.entries(TOOL_FIXES).find(([each]) => each === code)?.[1] : undefined;
}

/** Replaces the remedies in the JSON text of a result. */
export function withToolFixes(json: string): string {
  const result = parsedJson(json);
  if (!isJsonObject(result) || !Array.isArray(result['findings'])) return json;
  return printableJson(JSON.stringify({ ...result, findings: itemsIn(result['findings']).map(withToolFix) }));
}

function withToolFix(finding: Json): Json {
  if (!isJsonObject(finding)) return finding;
  const { code, fix } = finding;
  return typeof code === 'string' && typeof fix === 'string'
    ? { ...finding, fix: toolFixOf(code, fix) ?? fix }
    : finding;
}
