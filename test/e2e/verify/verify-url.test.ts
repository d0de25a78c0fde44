/** Verifies trees over HTTP, as hosts serve them: complete, altered, replaced during the read, without a manifest. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifyTree } from '../../../src/cli/verify-place.ts';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import { sha256 } from '../../../src/core/model/digest.ts';
import type { Claim } from '../../../src/core/tree/manifest/manifest.ts';
import { build } from '../../../src/features/build/build.ts';
import { withClaim } from '../../../src/system/trees/claimed-manifest.ts';
import { newFolder } from '../../support/folders.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { writeTestbed } from '../../support/registries/testbed.ts';
import { type Given, serviceOf } from '../../support/services/service.ts';
import { manifestOf } from '../../support/trees/served.ts';

let older: string;
let newer: string;

beforeAll(async () => {
  const { registry, revisions } = writeTestbed(newFolder());
  const built = async (at: string) => {
    const out = join(newFolder(), 'dist');
    await build({ registry, out, at, snapshots: 'none', showsProgress: false });
    return out;
  };
  older = await built(revisions.described.id);
  newer = await built(revisions.joined.id);
});

/** Answers like a plain host: with the files as they are. */
function served(out: string): (path: string) => Given {
  const files = new Map(manifestOf(out).documents.map(({ path, file }) => [path, file]));
  return (path) => {
    const file = path === '/_manifest.json' ? '_manifest.json' : files.get(path);
    return file === undefined ? { status: 404 } : { body: readFileSync(join(out, file), 'utf8') };
  };
}

const verified = (place: string, maxRequests = 10_000, more = {}) =>
  verifyTree({ place, maxRequests, timeout: 10, older: true, trust: {}, showsProgress: false, pauseMs: 1, ...more });

test('a complete tree passes below a path, with redirects to the latest versions', async () => {
  const answer = served(newer);
  const { documents, revision, digest, serial } = manifestOf(newer);
  const latest = new Map(
    documents.flatMap((each) =>
      'alias_of' in each && each.path.endsWith('/versions/latest') ? [[each.path, each.alias_of] as const] : [],
    ),
  );
  const { origin } = await serviceOf((path) => {
    const below = path.startsWith('/api/') ? path.slice('/api'.length) : '';
    const target = latest.get(below);
    if (target !== undefined) return { status: 307, headers: { Location: `/api${target}` } };
    return answer(below);
  });
  const result = await verified(`${origin}/api`);
  expect(result).toEqual({
    place: `${origin}/api`,
    revision,
    digest,
    serial,
    signer: undefined,
    files: documents.length + 1,
    findings: [],
  });
});

test('missing and altered documents are reported', async () => {
  const answer = served(newer);
  const { origin } = await serviceOf((path) => {
    if (path === '/sites') return { status: 404 };
    return path === '/sites/lyra' ? { body: '{}' } : answer(path);
  });
  const restore = '  Restore the file from a copy, or rebuild the tree with --force.\n';
  const stated = sha256(readFileSync(join(newer, 'sites/lyra.json')));
  expect(renderFindings((await verified(origin)).findings)).toBe(
    `sites.json: error: The file cannot be read: its status is 404. [verify-missing]\n${restore}\n` +
      `sites/lyra.json: error: The file has the digest ${sha256('{}')} instead of ${stated}. [verify-differs]\n${restore}`,
  );
});

test('--thorough checks all paths of each document', async () => {
  const answer = served(newer);
  const plain = (path: string) => path.replace(/(.)\/$/, '$1').replace(/(?<!_manifest)\.json$/, '');
  const whole = await serviceOf((path) => answer(plain(path)));
  const thorough = { thorough: true };
  expect((await verified(whole.origin, 10_000, thorough)).findings).toEqual([]);
  expect(whole.asked).toContain('/sites/');
  expect(whole.asked).toContain('/sites.json');
  expect(whole.asked).not.toContain('/changes/feed.atom/');
  const { origin } = await serviceOf((path) => {
    if (path === '/sites/') return { status: 404 };
    return answer(path === '/sites/lyra.json' ? '/sites' : plain(path));
  });
  expect((await verified(origin)).findings).toEqual([]);
  const ask = '  "gridpress probe --host NAME" reports whether this host supports such URLs, and what it lacks.\n';
  expect(renderFindings((await verified(origin, 10_000, thorough)).findings)).toBe(
    `sites.json: error: /sites/ gives another answer: its status is 404. [verify-form]\n${ask}\n` +
      `sites/lyra.json: error: /sites/lyra.json gives another answer: it is a different document. [verify-form]\n${ask}`,
  );
});

describe('a publication in progress', () => {
  const claim: Claim = {
    nonce: '1',
    purpose: 'publish',
    revision: 'abcdef12'.repeat(5),
    begun: [],
    since: 1_767_225_600,
    until: 1_767_229_200,
  };
  const claimed = (bytes: Buffer | undefined, more: Partial<Claim> = {}) => ({
    headers: { Date: 'Thu, 01 Jan 2026 00:30:00 GMT' },
    body: withClaim(bytes, { ...claim, ...more }).toString(),
  });
  const said = (origin: string) =>
    `error: A publication of revision abcdef12 is running at ${origin}/. Its claim ends at 2026-01-01T01:00:00Z. [verify-under-way]\n` +
    '  Run the command again when the publication is complete. If its publisher was stopped, publish again.\n';
  const manifest = () => readFileSync(join(older, '_manifest.json'));

  test('is reported instead of the differences that it causes', async () => {
    const [plain, after] = [served(older), served(newer)];
    const { origin } = await serviceOf((path) => {
      if (path === '/_manifest.json') return claimed(manifest());
      return (path.startsWith('/sites/lyra') ? after : plain)(path);
    });
    expect(await failureOf(() => verified(origin))).toBe(said(origin));
  });

  test('may be the first one, without a manifest', async () => {
    const { origin } = await serviceOf((path) => (path === '/_manifest.json' ? claimed(undefined) : { status: 404 }));
    expect(await failureOf(() => verified(origin))).toBe(said(origin));
  });

  const damaged = '{"damaged":true}';

  test.each([
    ['an expired claim', '/sites/lyra', { until: 1_767_227_400 }],
    ['a claim that is longer than any lease', '/sites/lyra', { until: 253_402_300_799 }],
    ['a claim for pruning', '/sites/lyra', { purpose: 'prune' }],
  ] as const)('excuses no difference with %s', async (_, wrong, more) => {
    const plain = served(older);
    const { origin } = await serviceOf((path) => {
      if (path === '/_manifest.json') return claimed(manifest(), more);
      return path === wrong ? { body: damaged } : plain(path);
    });
    const { findings } = await verified(origin);
    expect(findings.map(({ code, place }) => `${place?.file} ${code}`)).toEqual(['sites/lyra.json verify-differs']);
  });

  test('excuses no difference in immutable documents', async () => {
    const plain = served(older);
    const { documents } = manifestOf(older);
    const fixed = documents.find(({ path }) => /^\/sites\/lyra\/versions\/[0-9a-f]{40}$/.test(path));
    const { origin } = await serviceOf((path) => {
      if (path === '/_manifest.json') return claimed(manifest());
      return path === fixed?.path || path === '/sites' ? { body: damaged } : plain(path);
    });
    const { findings } = await verified(origin);
    expect(new Set(findings.map(({ place }) => place?.file))).toContain(fixed?.file);
    expect(findings.length).toBeGreaterThan(1);
  });

  test('excuses no manifest with a wrong digest', async () => {
    const plain = served(older);
    const altered = Buffer.from(
      manifest()
        .toString('latin1')
        .replace(/"seal":"../, '"seal":"zz'),
      'latin1',
    );
    const { origin } = await serviceOf((path) => {
      if (path === '/_manifest.json') return claimed(altered);
      return path === '/sites/lyra' ? { body: damaged } : plain(path);
    });
    const { findings } = await verified(origin);
    expect(findings.map(({ code }) => code)).toContain('verify-manifest-digest');
    expect(findings.map(({ code }) => code)).toContain('verify-differs');
  });

  test('without a manifest counts as no manifest after its claim expired', async () => {
    const { origin } = await serviceOf((path) =>
      path === '/_manifest.json' ? claimed(undefined, { until: 1 }) : { status: 404 },
    );
    expect(await failureOf(() => verified(origin))).toContain('[site-not-json]');
  });

  test('is ignored if all readable documents are complete', async () => {
    const plain = served(older);
    const { origin } = await serviceOf((path) => (path === '/_manifest.json' ? claimed(manifest()) : plain(path)));
    const { revision, findings } = await verified(origin);
    expect([revision, findings]).toEqual([manifestOf(older).revision, []]);
  });
});

test('a tree that is replaced once while it is read is read again', async () => {
  const [before, after] = [served(older), served(newer)];
  const { origin } = await serviceOf((path, _, n) => (n < 20 ? before : after)(path));
  const { revision, findings } = await verified(origin);
  expect([revision, findings]).toEqual([manifestOf(newer).revision, []]);
});

test('a tree that is replaced repeatedly is reported', async () => {
  const answers = [served(older), served(newer)];
  let manifests = 0;
  const { origin } = await serviceOf((path) => {
    if (path === '/_manifest.json') manifests++;
    return answers[manifests % 2]?.(path);
  });
  expect(await failureOf(() => verified(origin))).toBe(
    `error: ${origin} was replaced twice while it was read. [place-moved]\n` +
      '  Run the command again when the new tree is completely published and caches no longer serve the old one.\n',
  );
  expect(manifests).toBe(4);
});

test('a host without a public manifest and a low request limit are reported', async () => {
  const answer = served(newer);
  const hidden = await serviceOf((path) => (path === '/_manifest.json' ? { status: 404 } : answer(path)));
  expect(await failureOf(() => verified(hidden.origin))).toBe(
    `error: ${hidden.origin}/_manifest.json answers with the status 404. Without the manifest, nothing can be verified. [verify-no-manifest]\n` +
      '  Publish _manifest.json with the tree, or verify the published folder.\n',
  );
  const { origin, asked } = await serviceOf(answer);
  expect(await failureOf(() => verified(origin, 10))).toBe(
    'error: The verification needs more than 10 requests, so it stopped. [verify-requests]\n' +
      '  Allow more with --requests, or verify the published folder.\n',
  );
  // The last requests may be aborted before they arrive.
  expect(asked.length).toBeLessThanOrEqual(10);
});
