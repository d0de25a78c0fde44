/** Encodings, line endings and control characters. */
import { describe, expect, test } from 'vitest';
import { resourceAt } from '../../../src/core/model/state.ts';
import { storedObject } from '../../../src/core/registry/registry.ts';
import { loadSources } from '../../../src/features/sources/load-sources.ts';
import { checkOutput, MEND, message, START } from '../../support/registries/node-text.ts';
import { NODE, NODE_UID, registryOf } from '../../support/registries/registry.ts';

describe('the bytes of a file', () => {
  const bytes = (text: string, ...more: number[]) => Uint8Array.from([...new TextEncoder().encode(text), ...more]);

  test('must not include NUL, which is shown as a symbol', () => {
    expect(checkOutput('node_name: x\0y\n')).toBe(
      message(
        '3:13',
        'The file contains a NUL character. [yaml-nul]',
        `
  1 | type: node
  2 | uid: ${NODE_UID}
> 3 | node_name: x␀y
    |             ^`,
        'Remove the character. YAML files are text.',
      ),
    );
  });

  test('must not be Latin-1', () => {
    expect(checkOutput(bytes(`${START}node_name: caf`, 0xe9, 0x0a))).toBe(
      message(
        '3:15',
        'The file is not valid UTF-8. [not-utf8]',
        `
  1 | type: node
  2 | uid: ${NODE_UID}
> 3 | node_name: caf\ufffd
    |               ^`,
        'Save it as UTF-8.',
      ),
    );
  });

  test('must not be UTF-16', () => {
    expect(checkOutput(Uint8Array.from([0xff, 0xfe, 0x61, 0x00, 0x3a, 0x00]))).toBe(
      message(
        '1:1',
        'The file is not valid UTF-8. [not-utf8]',
        `
> 1 | \ufffd\ufffda␀:␀
    | ^`,
        'Save it as UTF-8.',
      ),
    );
  });

  test('may include a byte order mark and CR LF, which are removed', () => {
    const text = `\ufeff${START}note: |\n  one\n  two\nrack: r1\n`.replaceAll('\n', '\r\n');
    const given = registryOf({ [NODE]: text });
    given.record('First');
    expect(given.findings()).toBe('');
    const { worktree, store } = loadSources({ registry: given.registry });
    const node = resourceAt(worktree, NODE.slice(0, -'.yaml'.length));
    expect(node && storedObject(store, node.body.handle)).toEqual({
      type: 'node',
      uid: NODE_UID,
      note: 'one\ntwo\n',
      rack: 'r1',
    });
  });

  test('give positions that count neither the byte order mark nor CR', () => {
    expect(checkOutput(new TextEncoder().encode(`\ufeff${START}a: @x\n`.replaceAll('\n', '\r\n')))).toBe(
      message(
        '3:4',
        'Invalid YAML: Plain value cannot start with reserved character @. [yaml-syntax]',
        `
  1 | type: node
  2 | uid: ${NODE_UID}
> 3 | a: @x
    |    ^`,
        MEND,
      ),
    );
  });

  test('are quoted without escape sequences for the terminal', () => {
    expect(checkOutput('a: "\u001b[31m\n')).toContain('> 3 | a: "␛[31m\n');
  });
});
