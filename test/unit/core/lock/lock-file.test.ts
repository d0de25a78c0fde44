import { describe, expect, test } from 'vitest';
import { renderFindings } from '../../../../src/core/diagnostics/render.ts';
import { readLockFile } from '../../../../src/core/lock/lock-file.ts';
import { lockOf, lockText } from '../../../../src/core/lock/lock-format.ts';
import { packagedChecks } from '../../../../src/system/trees/packaged-checks.ts';

const REVISION = '0123456789abcdef0123456789abcdef01234567';
const UID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const PATH = `sites/lyra/clusters/main/nodes/${UID}`;

const LOCK = lockOf(
  { kind: 'url', place: 'https://api.example.org/' },
  { id: REVISION, date: '2026-01-01T00:00:00Z' },
  [{ path: PATH, uid: UID, name: 'lyra-1', latest: REVISION, body: { uid: UID, node_name: 'lyra-1' } }],
);
const TEXT = lockText(LOCK);

const read = (text: string, check = packagedChecks('lock')) => readLockFile('x.lock.json', Buffer.from(text), check);
const renderedFindings = (text: string) => renderFindings(read(text).findings ?? []);

describe('a lock file', () => {
  test('is read back unchanged, by the quick check and by the schema', () => {
    expect(read(TEXT)).toEqual({ value: LOCK });
    expect(readLockFile('x.lock.json', Buffer.from(TEXT), undefined)).toEqual({ value: LOCK });
  });

  test('may omit unknown values', () => {
    const bare = lockOf({ kind: 'url', place: 'https://api.example.org/' }, { id: 'v1' }, [
      { path: PATH, uid: UID, name: undefined, latest: undefined, body: {} },
    ]);
    expect(lockText(bare)).not.toMatch(/date|node_name|latest_version/);
    expect(read(lockText(bare))).toEqual({ value: bare });
  });

  test.each<[string, string | RegExp, string, string]>([
    [
      'a lock file with an unknown field',
      '"uid"',
      '"note": 1, "uid"',
      'x.lock.json:15:7: error: "nodes.0.note": no such field. [schema]',
    ],
    [
      'a lock file with an invalid digest',
      /"digest": "[0-9a-f]{60}/,
      '"digest": "',
      'x.lock.json:18:17: error: "nodes.0.digest": expected 64 hexadecimal digits. [schema]',
    ],
    [
      'a lock file with a path outside of nodes',
      'nodes/7c9e6679',
      'nodes/../7c9e6679',
      'x.lock.json:14:15: error: "nodes.0.path": expected a path such as sites/SITE/clusters/CLUSTER/nodes/NODE. [schema]',
    ],
    [
      'a lock file with a path as its revision',
      `"id": "${REVISION}"`,
      '"id": ".."',
      'x.lock.json:8:11: error: "revision.id": expected the identifier of a revision. [schema]',
    ],
    [
      'a lock file of a registry with a date as its revision',
      /"url"([^}]*\}[^}]*"id": )"\w+"/,
      '"registry"$1"2026-01-01"',
      'x.lock.json:8:11: error: "revision.id": expected 40 hexadecimal digits, the identifier of a revision. [schema]',
    ],
    [
      'a lock file with a text as its date',
      '2026-01-01T00:00:00Z',
      '2026-01-01\\n\\nForged',
      'x.lock.json:9:13: error: "revision.date": expected ISO 8601, such as 2026-03-01T12:00:00Z. [schema]',
    ],
    [
      'a lock file with another uid than in the path',
      `"uid": "${UID}"`,
      '"uid": "other"',
      `x.lock.json:15:14: error: "nodes.0.uid": expected "${UID}", as in the path. [schema]`,
    ],
    [
      'a lock file that names a node twice',
      /"nodes": \[\s*(\{[\s\S]*\})\s*\]/,
      '"nodes": [$1,\n$1]',
      'x.lock.json:24:15: error: "nodes.1.path": another node has the same path. [schema]',
    ],
    [
      'a lock file of another format',
      '"gridpress_lock": 1',
      '"gridpress_lock": 0',
      'x.lock.json:2:21: error: "gridpress_lock": expected "1", found 0. [schema]',
    ],
    [
      'a lock file of a newer format',
      '"gridpress_lock": 1',
      '"gridpress_lock": 2',
      'x.lock.json: error: The lock file has the format 2. This version of gridpress knows formats up to 1. [lock-newer]',
    ],
    [
      'a truncated lock file',
      /"nodes"[\s\S]*/,
      '',
      'x.lock.json: error: The lock file is not a JSON object. [lock-not-json]',
    ],
    ['a list', /^[\s\S]*$/, '[]', 'x.lock.json: error: The lock file is not a JSON object. [lock-not-json]'],
  ])('%s is rejected', (_, from, to, expected) => {
    const text = TEXT.replace(from, to);
    expect(text).not.toBe(TEXT);
    expect(renderedFindings(text).split('\n')[0]).toBe(expected);
  });

  const GENERIC =
    'Name a file that "gridpress lock" wrote. To write one, run: gridpress lock NODE... -o experiment.lock.json';
  const withOption = (option: string) =>
    `To lock its nodes, run: gridpress lock ${option} x.lock.json -o experiment.lock.json`;
  test.each([
    ['an OAR job', { 421: { assigned_nodes: ['lyra-1'] } }, withOption('--from-oar')],
    ['an OAR job of the API', { assigned_network_address: ['lyra-1'] }, withOption('--from-oar')],
    ['a lease', { id: 'lease-1', reservations: '' }, withOption('--from-lease')],
    ['a list of hosts of a lease', [{ id: '1', hypervisor_hostname: 'lyra-1' }], withOption('--from-lease')],
    ['a manifest', '<?xml version="1.0"?>\n<rspec/>', withOption('--from-manifest')],
    ['a list of hosts', '# GPUs\nlyra-g01\nlyra-c[01-03]\n', withOption('--hosts')],
    ['an empty file', '', GENERIC],
    ['a binary file', '\u0000PNG', GENERIC],
    ['a node', { uid: UID }, GENERIC],
    ['an empty object', {}, GENERIC],
  ])('%s is one finding', (_, value, remedy) => {
    expect(renderedFindings(typeof value === 'string' ? value : JSON.stringify(value))).toBe(
      `error: x.lock.json is not a lock file. [lock-other-file]\n  ${remedy}\n`,
    );
  });
});
