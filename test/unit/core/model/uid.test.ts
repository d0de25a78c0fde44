import { describe, expect, test } from 'vitest';
import { kindNamed } from '../../../../src/core/model/kinds.ts';
import { isRevisionId, isUuid, uidProblem } from '../../../../src/core/model/uid.ts';

const site = kindNamed('site');
const node = kindNamed('node');
const UUID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

describe('uidProblem', () => {
  test.each(['lyra', 'Lyra', 'm1.small', 'a_b', 'a~b', 'a-b', '0', '7c9e', 'constructor', 'consul', 'com', 'lpt'])(
    'accepts %s',
    (uid) => {
      expect(uidProblem(uid, site, 'uuid')).toBeUndefined();
    },
  );

  test.each([
    ...[
      'versions',
      'snapshots',
      'latest',
      'index',
      '_x',
      '__proto__',
      '.',
      '..',
      '.git',
      'a.json',
      '.json',
      'a.json.gz',
      'a.BR',
    ],
    ...['con', 'CON', 'con.yaml', 'nul', 'Aux', 'prn', 'com1', 'LPT9.txt'],
  ])('reserves %s for paths and files', (uid) => {
    expect(uidProblem(uid, site, 'uuid')).toBe('reserved');
  });

  test.each(['', 'a b', 'a/b', 'a\\b', 'a%20b', 'ä', 'a:b', 'a?b', 'a#b', 'a+b', 'a\n', 'a\0b', 'a*', 'a.', '漢'])(
    'rejects %j, which needs escaping or is no portable file name',
    (uid) => {
      expect(uidProblem(uid, site, 'uuid')).toBe('characters');
    },
  );

  test('accepts at most 128 characters', () => {
    expect(uidProblem('a'.repeat(128), site, 'uuid')).toBeUndefined();
    expect(uidProblem('a'.repeat(129), site, 'uuid')).toBe('length');
  });

  test('requires lowercase UUIDs for nodes if configured', () => {
    expect(uidProblem(UUID, node, 'uuid')).toBeUndefined();
    expect(uidProblem(UUID.toUpperCase(), node, 'uuid')).toBe('not-a-uuid');
    expect(uidProblem('lyra-1', node, 'uuid')).toBe('not-a-uuid');
    expect(uidProblem('lyra-1', node, 'name')).toBeUndefined();
    expect(uidProblem('lyra-1', site, 'uuid')).toBeUndefined();
  });
});

test.each([
  [UUID, true],
  [UUID.slice(1), false],
  [`${UUID}\n`, false],
  [UUID.replaceAll('-', ''), false],
])('isUuid(%j) is correct', (text, is) => {
  expect(isUuid(text)).toBe(is);
});

test.each([
  ['0123456789abcdef0123456789abcdef01234567', true],
  ['0123456789ABCDEF0123456789ABCDEF01234567', false],
  ['0123456789abcdef0123456789abcdef0123456', false],
  ['0123456789abcdef0123456789abcdef01234567\n', false],
])('isRevisionId(%j) is correct', (text, is) => {
  expect(isRevisionId(text)).toBe(is);
});
