/**
 * Parsers of external input, and exports of its values, take linear time. The inputs are bad cases for backtracking
 * patterns, for searches within lists and for external parsers.
 */

import { describe, expect, test } from 'vitest';
import { RAW_FORMS } from '../../src/core/api/raw-forms.ts';
import { Failure } from '../../src/core/diagnostics/finding.ts';
import { renderFindings } from '../../src/core/diagnostics/render.ts';
import { cellText } from '../../src/core/exports/csv.ts';
import { oarProperties } from '../../src/core/exports/oar-properties.ts';
import { readRevisionFile } from '../../src/core/history/revision-file.ts';
import { cpuModel } from '../../src/core/labels/hardware-names.ts';
import { hasOtherDomain, sitesOf } from '../../src/core/lock/match-hosts.ts';
import type { ListedNode } from '../../src/core/lock/node-source.ts';
import { configurationSchema } from '../../src/core/model/configuration.ts';
import { KINDS } from '../../src/core/model/kinds.ts';
import { subjectAt } from '../../src/core/model/resource-path.ts';
import type { QueryFleet } from '../../src/core/query/columns.ts';
import { parseQuery } from '../../src/core/query/parse.ts';
import { decode } from '../../src/core/registry/decode.ts';
import { readForeignBody } from '../../src/features/import/foreign-file.ts';
import { readRspec } from '../../src/features/lock/read-rspec.ts';
import { encodeHeader } from '../../src/system/tar/tar-header.ts';
import { expectLinear } from '../support/growth.ts';
import { parseGitLog } from '../support/values/git-log.ts';
import { fleetOfBodies } from '../support/values/query-fleet.ts';
import { indexed } from '../support/values/tar.ts';

type Read = { readonly findings?: Parameters<typeof renderFindings>[0] | undefined };

/** Renders the findings, as commands do. */
function renderAll({ findings = [] }: Read): void {
  renderFindings(findings);
}

/** Repeats a part between a beginning and an end. */
const repeated =
  (begin: string, part: string, end = '') =>
  (size: number) =>
    begin + part.repeat(size / part.length) + end;

/** Generates a part for each number. */
const numbered =
  (begin: string, part: (i: number) => string, end = '') =>
  (size: number) =>
    begin + Array.from({ length: size / part(0).length }, (_, i) => part(i)).join('') + end;

const NODE = subjectAt('sites/a/clusters/b/nodes/c', KINDS);

describe('parsing YAML takes linear time', () => {
  test.each<[string, (size: number) => string]>([
    ['a text of many lines', repeated('x: "', '\n', '"\n')],
    ['an unclosed quote with more quotes', repeated('x: "', '"\n')],
    ['anchors', repeated('x: ', '&a ')],
    ['anchors and aliases', repeated('', 'x: &a [*a]\n')],
    ['aliases', repeated('', '*a ', '\ny: 1\n')],
    ['tags', repeated('x: ', '!t\n')],
    ['opening brackets', repeated('x: ', '[', '\n')],
    ['closing brackets', repeated('', ']', '\nx')],
    ['closing braces', repeated('', '}')],
    ['empty mappings', repeated('', '{}')],
    ['flow mappings', repeated('', 'a: ', '\nx')],
    ['colons', repeated('', ': ', '\nx')],
    ['duplicate keys', repeated('', 'a: b\n')],
    ['keys without values', repeated('', 'a:\n')],
    ['keys of all types', numbered('cluster_uid: x\n', (i) => `k${i}: v\n`)],
    ['question marks', repeated('', '? a\n', '\ny: 1\n')],
    ['dashes', repeated('x: ', '- ')],
    ['spaces', repeated('x: |\n  a\n', ' ')],
    ['carriage returns', repeated('', '\r', '\nx')],
    ['lines', repeated('x: [', '\n', '\ny: 1\n')],
    ['documents', repeated('', '---\n', '\ny: 1\n')],
    ['a long number', repeated('cluster_uid: x\nmax_files: "', '1', 'x"\n')],
    ['a long version', repeated('cluster_uid: x\nmax_files: ', '1', '.x\n')],
    ['revisions that look like numbers', numbered('cluster_uid: x\nsnapshots:\n', (i) => `  - ${1_000_000 + i}\n`)],
    ['hosts that are not texts', repeated('cluster_uid: x\nhosts:\n', '  - {}\n')],
    ['unknown fields', numbered('cluster_uid: x\nheaders:\n', (i) => `  k${i}: v\n`)],
    ['a long base path', repeated('cluster_uid: x\nbase_path: ', '/a', '.json\n')],
    ['a long line of a citation', repeated('cluster_uid: x\ncitation:\n  title: "', 'a ', '"\n')],
  ])('%s', (_, make) => {
    expectLinear((text) => renderAll(decode('f', Buffer.from(text), configurationSchema)), make);
  });

  test.each<[string, (size: number) => string]>([
    ['newlines in a message', (size) => revision(`message: "${'\\n'.repeat(size / 2)}x"`)],
    ['invalid parents', numbered('parents:\n', (i) => `  - x${i}\n`)],
    ['invalid changes', repeated('changes:\n', '  - updated: /\n')],
    [
      'a long pointer',
      (size) => revision(`changes: [{updated: /, fields: [{at: "${'/a'.repeat(size / 2)}~", to: 1}]}]`),
    ],
  ])('for a revision: %s', (_, make) => {
    expectLinear((text) => renderAll(readRevisionFile('f', Buffer.from(text))), make);
  });

  const revision = (more: string) =>
    `id: ${'a'.repeat(40)}\ndate: "2026-01-01T00:00:00Z"\nauthor: a\nstate: sha256:${'0'.repeat(64)}\n${more}\n`;
});

describe('parsing foreign files takes linear time', () => {
  test.each<[string, string, (size: number) => string]>([
    ['nested arrays', 'f.json', repeated('', '[')],
    ['keys', 'f.json', numbered('{"a":1', (i) => `,"k${i}":1`, '}')],
    ['duplicate keys', 'f.json', repeated('{"a":1', ',"a":1', '}')],
    ['large numbers', 'f.json', repeated('{"a":[1', ',12345678901234567890', ']}')],
    ['a large number', 'f.json', repeated('{"a":1', '1', '}')],
    ['spaces before colons', 'f.json', repeated('{"a"', ' ', ':1}')],
    ['quotes and spaces', 'f.json', repeated('{"a":"x"', '   ', '}')],
    ['conflict markers', 'f.json', repeated('', '<<<<<<<\n')],
    ['broken YAML', 'f.yaml', repeated('', '{,', '\nx')],
    ['spaces', 'f.yaml', repeated('', ' ', '\nx')],
  ])('%s', (_, file, make) => {
    expectLinear((text) => readForeignBody(file, Buffer.from(text), NODE), make);
  });
});

describe('parsing git logs takes linear time', () => {
  const start = `${'a'.repeat(40)}\0\0${'b'.repeat(40)}\x002026-01-01T00:00:00Z\0`;
  test.each<[string, (size: number) => string]>([
    ['an author of many lines', repeated(start, '\n', '\0x\0')],
    ['a message of many lines', repeated(`${start}a\0`, '\n', 'x\0')],
    ['texts that resemble the start of a commit', repeated('', `${'a'.repeat(40)}\0`)],
    ['entries', repeated(`${start}a\0b\0\n`, `:000000 100644 ${'0'.repeat(40)} ${'1'.repeat(40)} A\0p\0`)],
    ['entries without paths', repeated(`${start}a\0b\0\n`, ':000000 100644 ')],
  ])('%s', (_, make) => {
    expectLinear(parseGitLog, make);
  });
});

describe('parsing link formats takes linear time', () => {
  test.each<[string, (size: number) => string]>([
    ['unclosed references', repeated('', '</a\n')],
    ['unclosed relations', repeated('', '</a>;rel="\n')],
    ['links without a reference', repeated('', '<link a\n')],
    ['links in one line', repeated('<link ', 'href=')],
    ['references in one line', repeated('<', '/')],
  ])('%s', (_, make) => {
    expectLinear((text) => {
      for (const { referencesIn } of Object.values(RAW_FORMS)) referencesIn(text);
    }, make);
  });
});

describe('reading RSpecs takes linear time', () => {
  test.each<[string, (size: number) => string]>([
    ['nodes', repeated('<rspec>', '<node component_id="a"/>', '</rspec>')],
    ['attributes', repeated('<rspec><node', ' a="b"', '/></rspec>')],
    ['nested elements', repeated('<rspec>', '<a>')],
    ['unclosed comments', repeated('<rspec>', '<!--')],
    ['unclosed character data', repeated('<rspec>', '<![CDATA[')],
    ['spaces in a tag', repeated('<rspec><node ', ' ')],
    ['equals signs', repeated('<rspec><node ', 'a=')],
    ['an unclosed value', repeated('<rspec><node a="', ' b=')],
    ['a long name', repeated('<', 'a')],
    ['colons', repeated('<', ':', '>')],
    ['a long URN', repeated('<rspec><node component_id="urn:publicid:IDN+', 'a', '"/></rspec>')],
    ['a URN of many parts', repeated('<rspec><node component_id="urn:publicid:IDN+', ':', '+node"/></rspec>')],
  ])('%s', (_, make) => {
    expectLinear((text) => {
      try {
        readRspec('f', text);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        renderFindings(error.findings);
      }
    }, make);
  });
});

test.each(['ThunderX2 ', 'Xeon ', 'Core ', 'Core a-', '(R)', ' ', 'Altra Q', 'POWER '])(
  'cpuModel takes linear time: %j',
  (part) => {
    expectLinear(cpuModel, repeated('', part));
  },
);

test('conditions on OAR properties of many sites take linear time', () => {
  const text = 'architecture.nb_procs >= 2 OR architecture.nb_procs < 1';
  const query = parseQuery(text);
  const siteOf = (i: number) => `s${Math.floor(i / 2)}`;
  const nodes = (size: number) =>
    Array.from({ length: size }, (_, i) => ({ body: { architecture: { nb_procs: 1 + (i % 2) } }, site: siteOf(i) }));
  expectLinear(
    (fleet: QueryFleet) => {
      const chosen = Array.from({ length: fleet.total / 2 }, (_, i) => 2 * i + 1);
      const conditionOf = oarProperties({ query, text }, fleet, chosen);
      for (const row of chosen) expect(conditionOf(siteOf(row))).toBe('cpu_count >= 2 OR cpu_count < 1');
    },
    (size) => fleetOfBodies(nodes(size)),
  );
});

test('the domains of many hosts at one site take linear time', () => {
  expectLinear(
    (nodes: readonly ListedNode[]) => {
      const sites = sitesOf(nodes);
      for (const node of nodes) expect(hasOtherDomain(`${node.name}.example.org`, node, sites)).toBe(false);
    },
    (size) => Array.from({ length: size }, (_, i) => ({ path: `sites/a/clusters/b/nodes/${i}`, name: `n${i}` })),
  );
});

test.each(['\n', ';'])('cellText takes linear time: %j', (part) => {
  expectLinear(cellText, repeated('', part, 'x'));
});

describe('reading tar files takes linear time', () => {
  const header = (name: string, target?: string) => encodeHeader({ name, size: 0, modified: 0, target });
  test.each<[string, (i: number) => Buffer]>([
    ['files', (i) => header(`f${i}`)],
    ['files in separate folders', (i) => header(`${i}/a/b/c/d/e/f`)],
    ['links', (i) => (i === 0 ? header('f') : header(`l${i}`, 'f'))],
  ])('%s', (_, entry) => {
    expectLinear(
      (bytes: Buffer) => expect(indexed(bytes, ({ entries }) => entries.size)).toBe(bytes.length / 512),
      (size) => Buffer.concat(Array.from({ length: size / 512 }, (__, i) => entry(i))),
    );
  });
});
