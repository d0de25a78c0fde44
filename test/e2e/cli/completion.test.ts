/** Runs the scripts of `gridpress completion` in their shells. */
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gridpress } from '../../support/processes/cli.ts';
import { needs } from '../../support/processes/programs.ts';
import { writeFiles } from '../../support/registries/revisions.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Words before the cursor, the last one unfinished, and some of the expected completions. */
const ASKED: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [
    ['gridpress', 'verify'],
    ['verify', 'verify-lock'],
  ],
  [
    ['gridpress', 'add', ''],
    ['node', 'site', 'flavor'],
  ],
  [
    ['gridpress', 'build', '--dialect', ''],
    ['current', 'legacy'],
  ],
  [['gridpress', 'find', '--sn'], ['--snippet']],
  [['gridpress', 'find', '--spread', 'site', '--sn'], ['--snippet']],
  [['gridpress', 'add', 'node', '--si'], ['--site']],
  [
    ['gridpress', 'help', 'verify'],
    ['verify', 'verify-lock'],
  ],
  [['gridpress', 'verify', 'a.'], ['a.bundle']],
  [
    ['gridpress', 'build', '--host', ''],
    ['nginx', 'github-pages'],
  ],
  [['gridpress', 'probe', '--host', 'cad'], ['caddy']],
  [['gridpress', 'find', '--columns', 'main_'], ['main_memory.ram_size']],
  [['gridpress', 'find', '--sort', 'label.'], ['label.gpu']],
  [['gridpress', 'lock', 'lyra'], ['lyra-c01']],
  [['gridpress', 'log', 'lyra-c'], ['lyra-c01']],
  [['gridpress', 'path', 'lyra-c'], ['lyra-c01']],
  [['gridpress', 'set', 'lyra-c'], ['lyra-c01']],
];

/** The scripts that print the completions, one on each line. */
const SHELLS = {
  bash: (script: string, words: readonly string[]) => [
    ...[
      '-c',
      // COMP_WORDS are the words of the line; the last one is before the cursor.
      ['source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gridpress', 'declare -p COMPREPLY'].join('; '),
    ],
    ...['bash', script, ...words],
  ],
  fish: (script: string, words: readonly string[]) => [
    ...['--no-config', '-c', 'source $argv[1]; complete -C "$argv[2]" | string match -r "^[^\\t]*"'],
    ...[script, words.join(' ')],
  ],
  // zsh loads the script at the first completion. Only its line editor defines compadd and compset.
  zsh: (script: string, words: readonly string[]) => [
    ...[
      '-fc',
      [
        'fpath=("$1" $fpath); shift; autoload -U compinit && compinit -u -D',
        'compadd() print -l -- "$matches[@]"; compset() false',
        'words=("$@"); CURRENT=$#; _gridpress',
      ].join('; '),
    ],
    ...['zsh', dirname(script), ...words],
  ],
} as const;

describe.each(['bash', 'fish', 'zsh'] as const)('completion in %s', (shell) => {
  const { isMissing, because } = needs(shell);
  test.skipIf(isMissing).each(ASKED)(`completes %j${because}`, async (words, offered) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a.bundle'), '');
    writeFiles(join(folder, 'registry-data/sites/lyra/nodes'), [['n.yaml', 'uid: n\nnode_name: "lyra-c01" # first\n']]);
    const { status, stdout, stderr } = await gridpress(['completion', shell]);
    expect([status, stderr]).toEqual([0, '']);
    const script = join(folder, '_gridpress');
    writeFileSync(script, stdout);
    const printed = execFileSync(shell, SHELLS[shell](script, words), { cwd: folder, encoding: 'utf8' });
    expect(printed.match(/[\w.-]+/g)).toEqual(expect.arrayContaining([...offered]));
  });
});

describe.each(['bash', 'zsh'] as const)('%s', (shell) => {
  const { isMissing, because } = needs(shell);
  test.skipIf(isMissing)(`completes file names with spaces${because}`, async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a b.bundle'), '');
    const script = join(folder, '_gridpress');
    writeFileSync(script, (await gridpress(['completion', shell])).stdout);
    const words = SHELLS[shell](script, ['gridpress', 'verify', 'a']);
    expect(execFileSync(shell, words, { cwd: folder, encoding: 'utf8' })).toContain('a b.bundle');
  });
});

test.each(['bash', 'fish'])('the script for %s does not offer hidden options', async (shell) => {
  const { stdout } = await gridpress(['completion', shell]);
  expect(stdout).not.toContain('usual-columns');
});

const bash = needs('bash');
test.skipIf(bash.isMissing).each(['$(>ran)', '`>ran`'])(
  `bash does not run the node name %s${bash.because}`,
  async (name) => {
    const folder = temporaryFolder();
    const names = [name, 'lyra-c01'];
    writeFiles(
      join(folder, 'registry-data/sites/lyra/nodes'),
      names.map((each, i) => [`${i}.yaml`, `uid: n${i}\nnode_name: ${each}\n`]),
    );
    const script = join(folder, 'script');
    writeFileSync(script, (await gridpress(['completion', 'bash'])).stdout);
    const words = SHELLS.bash(script, ['gridpress', 'show', '']);
    expect(execFileSync('bash', words, { cwd: folder, encoding: 'utf8' })).toContain('"lyra-c01"');
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  },
);

const zsh = needs('zsh');
test.skipIf(zsh.isMissing)(`zsh accepts its script${zsh.because}`, async () => {
  const { stdout } = await gridpress(['completion', 'zsh']);
  expect(stdout.startsWith('#compdef gridpress\n')).toBe(true);
  const load = `autoload -U compinit && compinit -u -D\n${stdout}\nprint $_comps[gridpress]`;
  expect(execFileSync('zsh', ['-f'], { input: load, encoding: 'utf8' })).toContain('_gridpress');
});

test('an unsupported shell is rejected', async () => {
  const { status, stderr } = await gridpress(['completion', 'tcsh']);
  expect([status, stderr.split('\n')[0]]).toEqual([
    2,
    "error: command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.",
  ]);
});
