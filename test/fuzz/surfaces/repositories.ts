/** Git repositories with altered files, names, messages and authors: imported twice. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { importRegistry } from '../../../src/features/import/import.ts';
import { GIT_ENVIRONMENT } from '../../support/registries/git-repository.ts';
import type { Random } from '../../support/values/random.ts';
import { alteredBytes, alteredJson } from '../mutate.ts';
import { Broken, type Surface } from '../surface.ts';

const FILES: Readonly<Record<string, string>> = {
  'data/grid/grid.json': '{"type":"grid","uid":"grid"}',
  'data/grid/sites/s/s.json': '{"type":"site","uid":"s","name":"S","latitude":47.5}',
  'data/grid/sites/s/clusters/c/c.json': '{"type":"cluster","uid":"c"}',
  'data/grid/sites/s/clusters/c/nodes/n1.json': '{"type":"node","uid":"n1","ram":{"size":1}}',
  'data/grid/sites/s/clusters/c/nodes/n2.yaml': 'type: node\nuid: n2\nram:\n  size: 2\n',
};
const PATHS = [
  'data/grid/sites/é/é.json',
  'data/grid/sites/s/x\ny.json',
  'data/grid/sites',
  'data/grid/.json',
  'data/grid/sites/s/clusters/__proto__/__proto__.json',
];
const MODES = ['100644', '100644', '100644', '100755', '120000'];

export function repositories(): Surface {
  return {
    name: 'repositories',
    run: async (chance, { input, target }) => {
      mkdirSync(input);
      const git = (args: readonly string[], stdin: Uint8Array | string = '') =>
        execFileSync('git', args, {
          cwd: input,
          env: GIT_ENVIRONMENT,
          input: stdin,
          stdio: ['pipe', 'pipe', 'ignore'],
        });
      git(['init', '--quiet', '--initial-branch=main']);
      const commits = 1 + chance.below(4);
      try {
        git(
          ['fast-import', '--quiet'],
          Buffer.concat(Array.from({ length: commits }, (_, i) => commit(i + 1, chance))),
        );
      } catch {
        // git itself rejects some alterations.
        return;
      }
      const options = { repository: input, ref: 'main', firstParent: chance.chance(0.3), showsProgress: false };
      const out = join(target, 'registry-data');
      mkdirSync(target);
      try {
        await importRegistry({ ...options, out });
      } catch (error) {
        if (existsSync(out)) throw new Broken('an import that failed left a registry');
        throw error;
      }
      await importRegistry({ ...options, out });
    },
  };
}

function commit(mark: number, chance: Random): Buffer {
  const text = (bytes: Uint8Array) => Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')]);
  const odd = (plain: string) => (chance.chance(0.3) ? alteredBytes(Buffer.from(plain), chance) : Buffer.from(plain));
  const name = odd('Ada')
    .toString('latin1')
    .replace(/[<>\n\0]/g, '');
  const date = `${chance.chance(0.1) ? chance.below(2 ** 31) * 2 : 1_700_000_000 + mark} ${chance.pick(['+0000', '+0100', '-1159', '+9999'])}`;
  const files = Object.entries(FILES).flatMap(([path, plain]) => {
    if (mark > 1 && chance.chance(0.6)) return [];
    if (chance.chance(0.05)) return [Buffer.from(`D ${path}\n`)];
    const contents = chance.chance(0.3) ? Buffer.from(alteredJson(plain, chance)) : odd(plain);
    const place = chance.chance(0.05) ? chance.pick(PATHS) : path;
    return [Buffer.from(`M ${chance.pick(MODES)} inline ${JSON.stringify(place)}\n`), text(contents)];
  });
  return Buffer.concat([
    Buffer.from(`commit refs/heads/main\nmark :${mark}\n`),
    Buffer.from(`author ${name} <a@b> ${date}\ncommitter C <c@d> 1700000000 +0000\n`, 'latin1'),
    text(odd('A message')),
    Buffer.from(mark > 1 ? `from :${mark - 1}\n` : ''),
    ...files,
    Buffer.from('\n'),
  ]);
}
