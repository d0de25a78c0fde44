/**
 * Repositories from untrusted sources, with their `.git` folder: an import runs only git, fetches nothing, and verifies
 * each object against its identifier.
 */
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gridpress } from '../../support/processes/cli.ts';
import { type GitRepository, gitRepository, json } from '../../support/registries/git-repository.ts';
import {
  BASE,
  CLUSTER,
  CLUSTER_BODY,
  GRID,
  GRID_BODY,
  imported,
  NODE_FILE,
  SITE,
  SITE_BODY,
  warning,
} from '../../support/registries/imported.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Hostile {
  readonly repository: GitRepository;
  readonly id: string;
  /** A command that writes a file when it runs. */
  readonly command: string;
  /** The files that commands wrote. */
  readonly traces: () => readonly string[];
}

/** A repository without the contents of a node, and a command for its configuration. */
function hostile(): Hostile {
  const repository = gitRepository();
  const id = repository.commit({ files: BASE });
  repository.loseContents(id, NODE_FILE);
  const folder = temporaryFolder();
  const command = join(folder, 'command');
  const traces = join(folder, 'traces');
  mkdirSync(traces);
  writeFileSync(command, `#!/bin/sh\n: > "${traces}/$$"\nexit 1\n`);
  chmodSync(command, 0o755);
  return { repository, id, command, traces: () => readdirSync(traces) };
}

function configure({ repository: { git } }: Hostile, settings: readonly (readonly [string, string])[]): void {
  for (const [key, value] of settings) git('config', '--add', key, value);
}

const missing = (id: string) =>
  warning(
    id,
    `the contents of ${NODE_FILE} are missing from the repository.`,
    'import-missing-blob',
    'The import omits it.',
  );

/** The keys of gitconfig(5) whose value is a command. */
const COMMANDS = [
  ...['alias.log', 'alias.cat-file', 'alias.rev-parse', 'browser.x.cmd', 'core.alternateRefsCommand'],
  ...['core.askPass', 'core.editor', 'core.fsmonitor', 'core.gitProxy', 'core.pager', 'core.sshCommand'],
  ...['credential.helper', 'credential.https://localhost.helper', 'diff.external', 'diff.x.command'],
  ...['diff.x.textconv', 'difftool.x.cmd', 'filter.x.clean', 'filter.x.process', 'filter.x.smudge'],
  ...['gc.recentObjectsHook', 'gpg.program', 'gpg.ssh.defaultKeyCommand', 'gpg.ssh.program'],
  ...['gpg.x509.program', 'guitool.x.cmd', 'hook.x.command', 'imap.tunnel', 'instaweb.httpd'],
  ...['interactive.diffFilter', 'man.x.cmd', 'merge.x.driver', 'mergetool.x.cmd', 'pager.cat-file'],
  ...['pager.log', 'pager.rev-parse', 'remote.x.receivepack', 'sendemail.smtpServer'],
  ...['sendemail.toCmd', 'sequence.editor', 'ssh.variant', 'submodule.x.update', 'tar.x.command'],
  ...['trailer.x.cmd', 'trailer.x.command', 'uploadpack.packObjectsHook', 'web.browser'],
] as const;

describe('the configuration of a repository', () => {
  test('runs none of the commands that its keys name', async () => {
    const given = hostile();
    const { repository, id, command, traces } = given;
    configure(given, [
      ...COMMANDS.map((key) => [key, command] as const),
      ...(['core.hooksPath', 'core.attributesFile', 'include.path'] as const).map(
        (key) => [key, join(repository.folder, 'more')] as const,
      ),
      ...([
        ['log.showSignature', 'true'],
        ['log.diffMerges', 'on'],
        ['log.mailmap', 'true'],
      ] as const),
      ...([
        ['gc.auto', '1'],
        ['maintenance.auto', 'true'],
        ['fetch.recurseSubmodules', 'true'],
      ] as const),
    ]);
    const hooks = join(repository.folder, '.git', 'hooks');
    mkdirSync(hooks, { recursive: true });
    for (const hook of ['fsmonitor-watchman', 'post-checkout', 'reference-transaction', 'pre-auto-gc'])
      copyFileSync(command, join(hooks, hook));
    writeFileSync(join(repository.folder, '.gitattributes'), '* diff=x filter=x merge=x\n');
    const { warnings, at } = await imported(repository.folder, { allowMissing: true });
    expect(traces()).toEqual([]);
    expect(warnings).toBe(missing(id));
    expect(at(id)).toEqual({ '': GRID_BODY, [SITE]: SITE_BODY, [CLUSTER]: CLUSTER_BODY });
  });

  test.each<[how: string, (command: string, folder: string) => readonly (readonly [string, string])[]]>([
    [
      'a local path',
      (command, folder) => [
        ['remote.x.url', folder],
        ['remote.x.uploadpack', command],
      ],
    ],
    [
      'a file URL',
      (command, folder) => [
        ['remote.x.url', `file://${folder}`],
        ['remote.x.uploadpack', command],
      ],
    ],
    [
      'the helper "ext"',
      (command) => [
        ['remote.x.url', `ext::${command}`],
        ['protocol.ext.allow', 'always'],
      ],
    ],
    [
      'the helper "fd"',
      () => [
        ['remote.x.url', 'fd::17'],
        ['protocol.fd.allow', 'always'],
      ],
    ],
    [
      'a helper by name',
      (command) => [
        ['remote.x.vcs', 'ext'],
        ['remote.x.url', command],
        ['protocol.allow', 'always'],
      ],
    ],
    [
      'ssh',
      (command) => [
        ['remote.x.url', 'ssh://localhost/x'],
        ['core.sshCommand', command],
      ],
    ],
    [
      'git with a proxy',
      (command) => [
        ['remote.x.url', 'git://localhost/x'],
        ['core.gitProxy', command],
      ],
    ],
    [
      'another URL instead',
      (command) => [
        ['remote.x.url', 'x:'],
        [`url.ext::${command} .insteadOf`, 'x:'],
        ['protocol.ext.allow', 'always'],
      ],
    ],
  ])('fetches nothing that is missing by %s', async (_, settings) => {
    const given = hostile();
    const { repository, id, command, traces } = given;
    configure(given, [
      ['core.repositoryFormatVersion', '1'],
      ['extensions.partialClone', 'x'],
      ['remote.x.promisor', 'true'],
      ...settings(command, repository.folder),
    ]);
    const { status, stderr } = await gridpress(['import', repository.folder, '-o', join(temporaryFolder(), 'out')]);
    expect(traces()).toEqual([]);
    expect(status).toBe(2);
    expect(stderr).toBe(
      `${missing(id)}
error: ${repository.folder} lacks the contents of 1 file, because it is a partial clone. [import-incomplete]
  Download them with "git fetch --refetch --no-filter" there. To import the registry without them, add --allow-missing.
`,
    );
  });

  test('is not read from a .git file that names another repository', async () => {
    const { repository } = hostile();
    const file = join(temporaryFolder(), 'registry.bundle');
    writeFileSync(file, `gitdir: ${join(repository.folder, '.git')}\n`);
    const { status, stderr } = await gridpress(['import', file, '-o', join(temporaryFolder(), 'out')]);
    expect(stderr).toBe(
      `error: ${file} cannot be read as a git repository: the file is not a bundle. [not-a-repository]\n  Name a clone, a bare repository or a bundle that "git log" can read.\n`,
    );
    expect(status).toBe(2);
  });
});

/** Changes the first parent of a commit in a commit graph (gitformat-commit-graph(5)). */
function withParent(graph: Buffer, commit: string, parent: string): Buffer {
  const chunkAt = (name: string) => {
    for (let at = 8; ; at += 12) {
      if (graph.toString('latin1', at, at + 4) === name) return Number(graph.readBigUInt64BE(at + 4));
    }
  };
  const identifiers = chunkAt('OIDL');
  const placeOf = (id: string) => (graph.indexOf(id, identifiers, 'hex') - identifiers) / 20;
  // An entry has the tree, two parent positions, and eight bytes of generation and date.
  graph.writeUInt32BE(placeOf(parent), chunkAt('CDAT') + placeOf(commit) * 36 + 20);
  return graph;
}

describe('import reads an object by its own identifier', () => {
  /** Two commits, and an unrelated one with a different node. */
  function forged(): { repository: GitRepository; id: string; second: string; other: string } {
    const repository = gitRepository();
    const id = repository.commit({ files: BASE });
    const second = repository.commit();
    const other = repository.commit({
      branch: 'other',
      parents: [],
      files: { ...BASE, [NODE_FILE]: json({ type: 'node', uid: 'n1', cores: 1024 }) },
    });
    return { repository, id, second, other };
  }

  /** Returns the message of an import that writes no registry. */
  async function refusal({ folder }: GitRepository): Promise<string> {
    const { stderr } = await gridpress(['import', folder, '-o', join(temporaryFolder(), 'out')]);
    return stderr;
  }
  const notItself = ({ folder }: GitRepository, id: string) =>
    `error: ${folder} cannot be read as a git repository: the object ${id} is not what its identifier says. [not-a-repository]\n  Name a clone, a bare repository or a bundle that "git log" can read.\n`;

  const cores = { type: 'node', uid: 'n1', node_type: 'compute', cores: 8 };
  const node = `${CLUSTER}/nodes/n1`;

  test('despite replaced objects', async () => {
    const { repository, id, other } = forged();
    repository.git('replace', id, other);
    const blob = (commit: string) => repository.git('rev-parse', `${commit}:${NODE_FILE}`).trim();
    repository.git('replace', blob(id), blob(other));
    expect((await imported(repository.folder)).at(id)[node]).toEqual(cores);
  });

  test('despite grafts', async () => {
    const { repository, id, second, other } = forged();
    mkdirSync(join(repository.folder, '.git', 'info'), { recursive: true });
    writeFileSync(join(repository.folder, '.git', 'info', 'grafts'), `${second} ${other}\n`);
    expect((await imported(repository.folder)).revisions.map((revision) => revision.id)).toEqual([id, second]);
  });

  test('despite a forged commit graph', async () => {
    const { repository, id, second, other } = forged();
    const { folder, git } = repository;
    git('commit-graph', 'write', '--reachable');
    const graph = join(folder, '.git', 'objects', 'info', 'commit-graph');
    chmodSync(graph, 0o644);
    writeFileSync(graph, withParent(readFileSync(graph), second, other));
    expect(git('rev-list', '--parents', 'main')).toContain(`${second} ${other}`);
    expect((await imported(folder)).revisions.map((revision) => revision.id)).toEqual([id, second]);
  });

  test.each<[what: string, (id: string) => string]>([
    ['a commit', (id) => id],
    ['a tree', (id) => `${id}:${GRID}`],
    ['a file', (id) => `${id}:${NODE_FILE}`],
  ])('and rejects %s that is stored under the identifier of another object', async (_, name) => {
    const { repository, id, other } = forged();
    const [to, from] = [id, other].map((commit) => repository.git('rev-parse', name(commit)).trim());
    const file = (object = '') => join(repository.folder, '.git', 'objects', object.slice(0, 2), object.slice(2));
    rmSync(file(to));
    copyFileSync(file(from), file(to));
    expect(await refusal(repository)).toBe(notItself(repository, to ?? ''));
  });
});
