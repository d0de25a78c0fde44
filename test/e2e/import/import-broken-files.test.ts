import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gridpress } from '../../support/processes/cli.ts';
import { gitRepository, json } from '../../support/registries/git-repository.ts';
import {
  BASE,
  BASE_RESOURCES,
  CLUSTER_FILE,
  imported,
  NODE,
  NODE_BODY,
  NODE_FILE,
  SITE,
  SITE_BODY,
  SITE_FILE,
  warning,
} from '../../support/registries/imported.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CHANGED = { ...NODE_BODY, cores: 16 };
const NEW = 'sites/lyra/clusters/main/nodes/n2';
const NEW_FILE = `data/testbed/${NEW}.json`;

const kept = (id: string, path: string, reason: string) =>
  warning(id, `${path} cannot be read: ${reason}.`, 'import-broken-file', 'The import uses its last valid contents.');
const leftOut = (id: string, path: string, reason: string) =>
  warning(id, `${path} cannot be read: ${reason}.`, 'import-broken-file', 'The import omits it until it can be read.');

describe('an unreadable file', () => {
  test.each<[string, string | Uint8Array, string]>([
    [
      'an unquoted version number',
      '{\n  "type": "node",\n  "version": 2.5.5\n}\n',
      "it is not JSON (Expected ',' or '}' after property value, line 3, column 17)",
    ],
    [
      'a comma after the last field',
      '{"type": "node",}',
      'it is not JSON (Expected double-quoted property name, line 1, column 17)',
    ],
    ['an unknown word', '{"a": tru}', "it is not JSON (Unexpected token '}')"],
    ['no contents', '', 'it is not JSON (Unexpected end of JSON input)'],
    [
      'the marks of a merge conflict',
      '{\n<<<<<<< HEAD\n  "cores": 8\n=======\n  "cores": 9\n>>>>>>> topic\n}\n',
      'it contains merge conflict markers',
    ],
    ['a list', '[{"type": "node"}]', 'it is not an object'],
    ['nested lists', `{"a": ${'['.repeat(90)}${']'.repeat(90)}}`, 'its values are nested too deeply'],
    [
      'endlessly nested lists',
      `{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      'its values are nested too deeply',
    ],
    ['a byte that is not UTF-8', Buffer.from('{"a": "\xe9"}', 'latin1'), 'it is not UTF-8'],
    ['a NUL character', '{"a": "\0"}', 'it has a NUL character'],
    ['half of a character', '{"a": "\\ud800"}', 'a text escapes half of a character (a lone surrogate)'],
  ])('with %s keeps its last good contents', async (_, contents, reason) => {
    const repository = gitRepository();
    const first = repository.commit({ files: BASE });
    const broken = repository.commit({ files: { [NODE_FILE]: contents } });
    const mended = repository.commit({ files: { [NODE_FILE]: json(CHANGED) } });

    const { warnings, at, changes } = await imported(repository.folder);
    expect(warnings).toBe(kept(broken, NODE_FILE, reason));
    expect(at(first)).toEqual(BASE_RESOURCES);
    expect(at(broken)).toEqual(BASE_RESOURCES);
    expect(changes(broken)).toEqual([`touched ${NODE}`]);
    expect(at(mended)).toEqual({ ...BASE_RESOURCES, [NODE]: CHANGED });
    expect(changes(mended)).toEqual([`updated ${NODE}`]);
  });

  test('may be as deeply nested as a registry file', async () => {
    const repository = gitRepository();
    const deep = (inner: string) => `{"type":"node","uid":"n1","a":${'['.repeat(89)}${inner}${']'.repeat(89)}}`;
    const first = repository.commit({ files: { ...BASE, [NODE_FILE]: deep('1') } });
    const second = repository.commit({ files: { [NODE_FILE]: deep('2') } });
    const { warnings, at } = await imported(repository.folder);
    expect(warnings).toBe('');
    expect([first, second].map((id) => JSON.stringify(at(id)[NODE]))).toEqual([deep('1'), deep('2')]);
  });

  test('is omitted until it is valid', async () => {
    const repository = gitRepository();
    const first = repository.commit({ files: { ...BASE, [NEW_FILE]: '{' } });
    const second = repository.commit({ files: { [NEW_FILE]: '{"' } });
    const good = repository.commit({ files: { [NEW_FILE]: json({ type: 'node', uid: 'n2' }) } });

    const { warnings, at, changes } = await imported(repository.folder);
    const end = "Expected property name or '}', line 1, column 2";
    expect(warnings).toBe(
      [
        leftOut(first, NEW_FILE, `it is not JSON (${end})`),
        leftOut(second, NEW_FILE, 'it is not JSON (Unterminated string, line 1, column 3)'),
      ].join('\n'),
    );
    expect(at(second)).toEqual(BASE_RESOURCES);
    expect(changes(second)).toEqual([]);
    expect(changes(good)).toEqual([`added ${NEW}`]);
  });

  test('is removed when it is deleted, and omitted if it returns broken', async () => {
    const repository = gitRepository();
    repository.commit({ files: BASE });
    repository.commit({ files: { [NODE_FILE]: '{"a": tru}' } });
    const deleted = repository.commit({ files: { [NODE_FILE]: null } });
    const back = repository.commit({ files: { [NODE_FILE]: '{"a": tru}' } });

    const { warnings, at, changes } = await imported(repository.folder);
    expect(changes(deleted)).toEqual([`removed ${NODE}`]);
    expect(at(back)).not.toHaveProperty([NODE]);
    expect(warnings).toContain(leftOut(back, NODE_FILE, "it is not JSON (Unexpected token '}')"));
  });

  test('keeps its last good contents through other commits', async () => {
    const repository = gitRepository();
    repository.commit({ files: BASE });
    const broken = repository.commit({ files: { [NODE_FILE]: '{"a": tru}' } });
    const other = repository.commit({ files: { [SITE_FILE]: json({ ...SITE_BODY, name: 'Other' }) } });

    const { warnings, at } = await imported(repository.folder);
    expect(warnings).toBe(kept(broken, NODE_FILE, "it is not JSON (Unexpected token '}')"));
    expect(at(other)).toEqual({ ...BASE_RESOURCES, [SITE]: { ...SITE_BODY, name: 'Other' } });
  });

  test('gets its last good contents from its own branch after a merge', async () => {
    const repository = gitRepository();
    const first = repository.commit({ files: BASE });
    const good = repository.commit({ branch: 'side', parents: [first], files: { [NODE_FILE]: json(CHANGED) } });
    const broken = repository.commit({ branch: 'side', files: { [NODE_FILE]: '{"a": tru}' } });
    const main = repository.commit({ files: { [SITE_FILE]: json({ ...SITE_BODY, name: 'Other' }) } });
    const merge = repository.commit({ parents: [main, broken], files: { [NODE_FILE]: '{"a": tru}' } });

    const { warnings, at } = await imported(repository.folder);
    const reason = "it is not JSON (Unexpected token '}')";
    expect(warnings).toBe([kept(broken, NODE_FILE, reason), kept(merge, NODE_FILE, reason)].join('\n'));
    expect(at(good)).toEqual({ ...BASE_RESOURCES, [NODE]: CHANGED });
    expect(at(merge)).toEqual({ ...BASE_RESOURCES, [SITE]: { ...SITE_BODY, name: 'Other' }, [NODE]: CHANGED });
  });

  test('still counts as a parent for its descendants', async () => {
    const repository = gitRepository();
    const first = repository.commit({ files: { ...BASE, [CLUSTER_FILE]: '{"a": tru}' } });

    const { warnings, at } = await imported(repository.folder);
    expect(warnings).toBe(
      [
        leftOut(first, CLUSTER_FILE, "it is not JSON (Unexpected token '}')"),
        warning(
          first,
          `${NODE} has no cluster above it.`,
          'import-no-parent',
          'The import creates one with only a uid and a type.',
        ),
      ].join('\n'),
    );
    expect(at(first)).toEqual(BASE_RESOURCES);
  });
});

describe('missing contents of a file', () => {
  test('stop an import before it writes anything', async () => {
    const repository = gitRepository();
    const id = repository.commit({ files: BASE });
    repository.loseContents(id, NODE_FILE);
    const out = join(temporaryFolder(), 'registry-data');
    const { status, stderr } = await gridpress(['import', repository.folder, '-o', out]);
    expect([status, existsSync(out)]).toEqual([2, false]);
    expect(stderr).toContain(
      `error: ${repository.folder} lacks the contents of 1 file. [import-incomplete]
  Restore them from another clone. To import the registry without them, add --allow-missing.
`,
    );
    expect((await gridpress(['import', repository.folder, '-o', out, '--allow-missing'])).status).toBe(0);
  });

  test('are replaced by the last good contents', async () => {
    const repository = gitRepository();
    repository.commit({ files: BASE });
    const lost = repository.commit({ files: { [NODE_FILE]: json(CHANGED) } });
    const later = repository.commit({ files: { [NODE_FILE]: json({ ...CHANGED, cores: 32 }) } });
    repository.loseContents(lost, NODE_FILE);

    const { warnings, at } = await imported(repository.folder, { allowMissing: true });
    expect(warnings).toBe(
      warning(
        lost,
        `the contents of ${NODE_FILE} are missing from the repository.`,
        'import-missing-blob',
        'The import uses its last valid contents.',
      ),
    );
    expect(at(lost)).toEqual(BASE_RESOURCES);
    expect(at(later)).toEqual({ ...BASE_RESOURCES, [NODE]: { ...CHANGED, cores: 32 } });
  });

  test('are omitted if there were none before', async () => {
    const repository = gitRepository();
    const first = repository.commit({ files: { ...BASE, [NEW_FILE]: json({ type: 'node', uid: 'n2' }) } });
    repository.loseContents(first, NEW_FILE);

    const { warnings, at } = await imported(repository.folder, { allowMissing: true });
    expect(warnings).toBe(
      warning(
        first,
        `the contents of ${NEW_FILE} are missing from the repository.`,
        'import-missing-blob',
        'The import omits it.',
      ),
    );
    expect(at(first)).toEqual(BASE_RESOURCES);
  });
});
