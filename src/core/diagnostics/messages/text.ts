import { error, type Nothing } from '../message.ts';
import { grouped } from '../words.ts';

export const TEXT_MESSAGES = {
  'not-utf8': error<Nothing>(() => 'The file is not valid UTF-8.', 'Save it as UTF-8.'),
  'yaml-nul': error<Nothing>(() => 'The file contains a NUL character.', 'Remove it: YAML is text.'),
  'yaml-syntax': error<{ reason: string }>(
    (a) => `Broken YAML: ${a.reason}.`,
    'Mend the syntax at the mark, or just before it.',
  ),
  'yaml-duplicate-key': error<{ key: string }>(
    (a) => `The key "${a.key}" stands twice in one mapping.`,
    'Keep one of them.',
  ),
  'yaml-several-documents': error<Nothing>(
    () => 'The file holds more than one YAML document.',
    'Keep one document in a file: remove the "---" and what follows it.',
  ),
  'yaml-tag': error<{ tag: string }>(
    (a) => `The tag ${a.tag} is not supported.`,
    'Remove it: values are strings, numbers, true, false and null; quote what must be a string.',
  ),
  'yaml-alias-bomb': error<Nothing>(
    () => 'The aliases of the file would expand beyond all bounds.',
    'Write the values out instead of using aliases.',
  ),
  'yaml-too-deep': error<Nothing>(
    () => 'The values of the file lie too deep within each other.',
    'Write them flatter.',
  ),
  'yaml-too-large': error<{ most: number }>(
    (a) => `The file has more than ${grouped(a.most)} characters, and may have anchors, tags or merge keys.`,
    'Write it without them, with values that begin with such a mark in quotes.',
  ),
  'yaml-merge-key': error<Nothing>(
    () => 'The merge key "<<" is not supported: YAML 1.2 has none.',
    'Write the merged fields out.',
  ),
  'yaml-not-a-mapping': error<Nothing>(
    () => 'The file is not a mapping of fields to values.',
    'Write one "field: value" on each line.',
  ),
  'yaml-complex-key': error<Nothing>(() => 'A key is not a plain scalar.', 'Use strings as keys.'),
} as const;
