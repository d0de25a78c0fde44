import { expect, test } from 'vitest';
import { recentlyUsed } from '../../../../src/core/platform/recently-used.ts';

/** Which of some letters are held, and no longer then. */
function taken(letters: string, held: ReturnType<typeof recentlyUsed<string, string>>): string {
  return [...letters].filter((letter) => held.take(letter) === letter).join('');
}

test('what was put last and takes half of the room is held, and never more than fits into it', () => {
  const held = recentlyUsed<string, string>(4);
  for (const letter of 'abcdefgh') held.put(letter, letter, 1);
  expect(taken('abcdefgh', held)).toBe('efgh');
  const others = recentlyUsed<string, string>(4);
  for (const letter of 'abcde') others.put(letter, letter, 1);
  expect(taken('abcde', others)).toBe('cde');
});

test('what is used again stays while others go', () => {
  const held = recentlyUsed<string, string>(4);
  for (const letter of 'abcdefghijkl') {
    held.put(letter, letter, 1);
    held.put('a', held.take('a') ?? 'lost', 1);
  }
  expect(held.take('a')).toBe('a');
  expect(held.take('b')).toBeUndefined();
});

test('what is looked at stays, as if it had been put again', () => {
  const held = recentlyUsed<string, string>(4);
  for (const letter of 'abcdefghijkl') {
    held.put(letter, letter, 1);
    expect(held.get('a')).toBe('a');
  }
  expect(held.get('b')).toBeUndefined();
});

test('what is put again counts once', () => {
  const held = recentlyUsed<string, string>(4);
  for (const letter of 'baaaaaaa') held.put(letter, letter, 1);
  expect(taken('ab', held)).toBe('ab');
});

test('what is given away leaves its room', () => {
  const held = recentlyUsed<string, string>(4);
  held.put('a', 'a', 1);
  for (const letter of 'bcdefgh') {
    held.put(letter, letter, 1);
    expect(held.take(letter)).toBe(letter);
    expect(held.take(letter)).toBeUndefined();
  }
  expect(held.take('a')).toBe('a');
});
