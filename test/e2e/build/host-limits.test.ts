import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { PLAIN } from '../../../src/core/diagnostics/palette.ts';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import { githubPages } from '../../../src/core/hosts/github-pages.ts';
import type { Limit } from '../../../src/core/hosts/host.ts';
import { sha256 } from '../../../src/core/model/digest.ts';
import { planTree } from '../../../src/core/tree/plan/plan-tree.ts';
import { build } from '../../../src/features/build/build.ts';
import { withSettings } from '../../../src/features/build/build-options.ts';
import { hostingOf } from '../../../src/features/build/hosting.ts';
import { publicationOf } from '../../../src/features/build/publication-of.ts';
import { measurePlan } from '../../../src/features/build/tree-size.ts';
import { loadSources } from '../../../src/features/sources/load-sources.ts';
import { publicSources } from '../../../src/features/sources/public-sources.ts';
import { newFolder } from '../../support/folders.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
import { manifestOf } from '../../support/trees/served.ts';
import { filesBelow } from '../../support/trees/whole-tree.ts';

let bed: Testbed;
let out: string;

beforeAll(async () => {
  bed = writeTestbed(newFolder());
  out = join(newFolder(), 'dist');
  await build({ registry: bed.registry, out, showsProgress: false, hosts: ['github-pages'] });
});

interface Asked {
  readonly paid?: number;
  readonly plan?: 'free' | 'paid';
  readonly max_files?: number;
  readonly planned?: typeof planTree;
}

/** Returns the message of a host with such a limit; empty if the tree fits. */
async function refusal(of: Limit['of'], most: number, { paid, plan = 'free', ...asked }: Asked = {}): Promise<string> {
  const { planned = planTree, max_files = 1_000_000 } = asked;
  const place = { registry: bed.registry };
  const sources = withSettings(publicSources(loadSources(place), place), { hosts: ['github-pages'] });
  const publication = publicationOf(sources);
  const made = { publication, plan: planned(publication) };
  const hosting = await hostingOf(sources.configuration, made);
  const host = {
    ...githubPages,
    title: 'Small host',
    limits: [{ of, most, source: 'its manual', ...(paid === undefined ? {} : { paid }) }],
  };
  const { exceeded } = measurePlan(made.plan, { ...hosting, hosts: [host] }, { max_files, host_plan: plan });
  return renderFindings(
    exceeded.map((findingOf) => findingOf(['snapshots: none'])),
    PLAIN,
  );
}

const limitMessage = (most: number, what: string, where: string, found: number) =>
  `error: Small host accepts at most ${most.toLocaleString('en-US')} ${what} (its manual), but ${where} would have ${found.toLocaleString('en-US')}. Nothing was written. [host-limit]\n  The tree fits with these lines in gridpress.yaml, in place of other values and options: snapshots: none.\n`;

describe('a limit of a host', async () => {
  test('on files counts the whole tree', async () => {
    const files = filesBelow(out).length;
    expect(await refusal('files', files)).toBe('');
    expect(await refusal('files', files - 1)).toBe(limitMessage(files - 1, 'files', 'the tree', files));
    expect(await refusal('files', 1)).toBe(limitMessage(1, 'files', 'the tree', files));
  });

  test('on files or sizes renders nothing if the tree is rejected anyway', async () => {
    const unread = (): never => {
      throw new Error('this need not be known');
    };
    const planned: typeof planTree = (publication) => {
      const { documents, ...rest } = planTree(publication);
      const sections = documents.map(({ list, ...section }) => ({
        ...section,
        list: () => Array.from(list(), (each) => ({ ...each, body: unread })),
      }));
      return { ...rest, documents: sections };
    };
    const files = filesBelow(out).length;
    const told = limitMessage(files - 1, 'files', 'the tree', files);
    expect(await refusal('files', files - 1, { planned })).toBe(told);
    const refused = await refusal('tree-size', 1, { planned, max_files: files - 1 });
    expect(refused.match(/\[[a-z-]+\]/g)).toEqual(['[max-files]']);
  });

  test('on the size of a file names the largest file', async () => {
    const sizes = manifestOf(out).documents.flatMap((each) => ('size' in each ? [each] : []));
    const { path = '', size = 0 } = sizes.toSorted((a, b) => b.size - a.size)[0] ?? {};
    expect(await refusal('file-size', size)).toBe('');
    expect(await refusal('file-size', size - 1)).toBe(limitMessage(size - 1, 'bytes per file', path, size));
  });

  test('on the size of the tree counts each document under all its names', async () => {
    const others = new Set([...manifestOf(out).files.map(({ file }) => file), '_manifest.json']);
    const bytes = filesBelow(out)
      .filter((file) => !others.has(file))
      .reduce((sum, file) => sum + statSync(join(out, file)).size, 0);
    expect(await refusal('tree-size', bytes)).toBe('');
    expect(await refusal('tree-size', bytes - 1)).toBe(limitMessage(bytes - 1, 'bytes in total', 'the tree', bytes));
  });

  test('differs for paid plans', async () => {
    const files = filesBelow(out).length;
    expect(await refusal('files', files - 1, { paid: files })).toBe(
      `${limitMessage(files - 1, 'files', 'the tree', files).trimEnd()} Paid plans accept ${files.toLocaleString('en-US')}. If you have one, set host_plan to paid in gridpress.yaml.\n`,
    );
    expect(await refusal('files', 1, { paid: files, plan: 'paid' })).toBe('');
    expect(await refusal('files', 1, { paid: files - 1, plan: 'paid' })).toBe(
      limitMessage(files - 1, 'files', 'the tree', files),
    );
  });

  test('on the files of a folder names the folder', async () => {
    expect(await refusal('directory-files', 1)).toContain('accepts at most 1 files per folder (its manual), but ');
    const folders = new Map<string, number>();
    for (const file of filesBelow(out)) {
      const folder = file.slice(0, Math.max(0, file.lastIndexOf('/')));
      folders.set(folder, (folders.get(folder) ?? 0) + 1);
    }
    const most = Math.max(...folders.values());
    expect(await refusal('directory-files', most)).toBe('');
  });
});

test('object storage gets a line for each object, and the manifest lists its digest', async () => {
  const folder = join(newFolder(), 'dist');
  await build({ registry: bed.registry, out: folder, showsProgress: false, hosts: ['s3'], snapshots: 'none' });
  const name = '_hosts/s3/upload.jsonl';
  const text = readFileSync(join(folder, name), 'utf8');
  const { documents, files } = manifestOf(folder);
  expect(files.find(({ file }) => file === name)).toEqual({
    file: name,
    sha256: sha256(text),
    size: Buffer.byteLength(text),
  });
  const objects: { key: string; file: string }[] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(new Set(objects.map(({ key }) => key)).size).toBe(objects.length);
  expect([...new Set(objects.map(({ file }) => file))].sort()).toEqual(
    ['404.json', '_manifest.json', ...documents.map(({ file }) => file)].sort(),
  );
  expect(statSync(join(folder, name)).mtimeMs).toBe(statSync(join(folder, '404.json')).mtimeMs);
});

test('hosts with equal file names are rejected together, but naming a host twice is allowed', async () => {
  const folder = join(newFolder(), 'dist');
  const options = { registry: bed.registry, out: folder, showsProgress: false } as const;
  expect(await failureOf(() => build({ ...options, hosts: ['netlify', 'cloudflare-pages'] }))).toBe(
    'error: The hosts netlify and cloudflare-pages need different versions of _headers. Nothing was written. [hosts-conflict]\n  Build a separate tree for each host with --host and --out.\n',
  );
  await build({ ...options, hosts: ['netlify', 'netlify', 'nginx'], snapshots: 'none' });
  const names = manifestOf(folder).files.map(({ file }) => file);
  expect(names.filter((file) => file === '_headers')).toEqual(['_headers']);
  expect(names).toContain('_hosts/nginx/server.conf');
});
