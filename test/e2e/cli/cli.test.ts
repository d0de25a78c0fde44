import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { CLI, gridpress, type Run, startServer } from '../../support/processes/cli.ts';
import { writeFiles } from '../../support/registries/revisions.ts';
import { nodeFile, nodeText, nodeUid, writeTestbed } from '../../support/registries/testbed.ts';

/** Contains a valid registry. Tests that change files use a folder of their own. */
let folder: string;

beforeAll(() => {
  folder = newFolder();
  writeTestbed(folder);
});

const run = (...args: string[]): Promise<Run> => gridpress(args, { cwd: folder });

const COMMANDS = [
  ...[
    'init',
    'import',
    'check',
    'schemas',
    'add',
    'set',
    'edit',
    'path',
    'retire',
    'rename',
    'observe',
    'record',
    'log',
    'diff',
    'show',
  ],
  ...['find', 'lock', 'verify-lock', 'describe-lock', 'mcp', 'build', 'serve', 'dev', 'verify', 'crawl'],
  ...['publish', 'bundle', 'apply', 'prune', 'archive', 'probe', 'hosts', 'completion'],
] as const;

test('a user without a home folder has no cache', async () => {
  // Node reports a user without an entry in the user database this way.
  const homeless = `import os from 'node:os';
    import { syncBuiltinESMExports } from 'node:module';
    os.homedir = () => { throw Object.assign(new Error('ENOENT'), { code: 'ERR_SYSTEM_ERROR' }); };
    syncBuiltinESMExports();`;
  const preload = `data:text/javascript,${encodeURIComponent(homeless)}`;
  const env = { NODE_OPTIONS: `--import=${preload}`, XDG_CACHE_HOME: '' };
  const { status, stdout, stderr } = await gridpress(['find', '--uids'], { cwd: folder, env });
  expect([status, stdout.split('\n')[0]], stderr).toEqual([0, nodeUid(1)]);
});

describe('an error of the operating system', () => {
  /** A preload script that makes a function of `fs` fail as the system does, except when Node.js loads a module. */
  const failing = (name: string) => `import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const real = fs.${name};
    fs.${name} = (...args) => {
      if (new Error().stack.includes('node:internal/modules/esm/load:')) return real(...args);
      throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' });
    };
    syncBuiltinESMExports();`;

  test.each(['readSync', 'fstatSync', 'readdirSync'])('in %s has its reason in the message', async (name) => {
    const preload = `data:text/javascript,${encodeURIComponent(failing(name))}`;
    const { status, stderr } = await gridpress(['check'], {
      cwd: folder,
      env: { NODE_OPTIONS: `--import=${preload}`, XDG_CACHE_HOME: newFolder() },
    });
    expect(stderr).toMatch(/^error: .*(EIO: i\/o error, read|the disk reports an error)\. \[/);
    expect(status).toBe(2);
  });

  test.skipIf(process.platform !== 'linux')('has its reason in the message if files cannot be opened', async () => {
    const runWith = (limit: number) => {
      const call = `ulimit -n ${limit} && exec "${process.execPath}" "${CLI}" check`;
      return spawnSync('bash', ['-c', call], { cwd: folder, encoding: 'utf8' });
    };
    // Node.js crashes with fewer files than it needs for itself. This number depends on its version.
    let ran = runWith(40);
    for (let limit = 39; ran.status === 0; limit--) ran = runWith(limit);
    const { status, stderr } = ran;
    expect(stderr).toMatch(
      /^error: The operating system reports an error: EMFILE: too many open files, open .* \[system-error\]\n$/,
    );
    expect(status).toBe(2);
  });
});

describe('help', () => {
  test('lists every command', async () => {
    const { status, stdout, stderr } = await run('--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.split('\n').filter((line) => line.length > 80 && !line.startsWith('Documentation: '))).toEqual([]);
    const listed = [...stdout.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name]) => name);
    expect(listed).toEqual([...COMMANDS, 'help']);
  });

  test.each(COMMANDS)('of %s shows its arguments with examples', async (name) => {
    const [asked, flagged] = await Promise.all([run('help', name), run(name, '--help')]);
    expect(asked).toEqual({ status: 0, stdout: flagged.stdout, stderr: '' });
    expect(asked.stdout.split('\n')[0]).toMatch(new RegExp(`^Usage: gridpress ${name} \\[options\\]`));
    const examples = asked.stdout.split('\nExamples:\n')[1]?.trimEnd().split('\n') ?? [];
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(example).toMatch(new RegExp(`^  \\$ gridpress ${name}( |$)`));
  });

  test('accepts subcommands and rejects unknown commands', async () => {
    const { stdout } = await run('add', 'node', '--help');
    expect(await run('help', 'add', 'node')).toEqual({ status: 0, stdout, stderr: '' });
    const stderr = "error: unknown command 'bild'\n(Did you mean build?)\n(gridpress help COMMAND shows its options)\n";
    expect(await run('help', 'bild')).toEqual({ status: 2, stdout: '', stderr });
  });

  test('is printed to standard error if no command is given', async () => {
    const { stdout } = await run('--help');
    expect(await run()).toEqual({ status: 2, stdout: '', stderr: stdout });
  });

  test('--version prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'));
    expect(await run('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe('wrong usage', () => {
  test.each([
    ['add site vega --author Ada', '--author needs --message.'],
    ['edit lyra-1 --author Ada', '--author needs --message.'],
    ['publish public --base-url https://a.example', '--base-url needs --purge-file.'],
    [
      'add node --from nodes.csv --names a',
      "option '--from <file>' cannot be used with option '--names <patterns...>'",
    ],
    ['init x --import --grid meridian', "option '--import' cannot be used with option '--grid <name>'"],
    ['init x --import --ci github --example', "option '--import' cannot be used with option '--example'"],
    ['init x --import', '--import needs --ci.'],
    ['add node --from nodes.csv -n 2', "option '--from <file>' cannot be used with option '-n, --count <number>'"],
    ['log --registry x --from y', "option '--from <place>' cannot be used with option '--registry <folder>'"],
    ['diff --from y --registry x', "option '--from <place>' cannot be used with option '--registry <folder>'"],
    ['show sites --from y --registry x', "option '--from <place>' cannot be used with option '--registry <folder>'"],
    ['observe --user reader reports', '--user needs --url.'],
    ['find true --cql2-json --at head', "option '--cql2-json' cannot be used with option '--at <moment>'"],
    ['find true --cql2-json --html', "option '--cql2-json' cannot be used with option '--html'"],
    ['find true --cql2-json --group-by site', "option '--cql2-json' cannot be used with option '--group-by <fields>'"],
  ])('is rejected instead of ignored: %s', async (call, problem) => {
    const { status, stdout, stderr } = await run(...call.split(' '));
    expect([status, stdout, stderr.split('\n')[0]]).toEqual([2, '', `error: ${problem}`]);
  });

  const hintFor = (command = '') =>
    command === 'bild' ? '(gridpress help COMMAND shows its options)\n' : `(See gridpress ${command} --help)\n`;

  test.each([
    ['bild', "unknown command 'bild'", 'build'],
    ['bild --help', "unknown command 'bild'", 'build'],
    ['init --jsn', "unknown option '--jsn'", '--json'],
    ['import x -o y --fist-parent', "unknown option '--fist-parent'", '--first-parent'],
    ['check --registri x', "unknown option '--registri'", '--registry'],
    ['build --snapshot none', "unknown option '--snapshot'", '--snapshots'],
    ['record -m x --auther y', "unknown option '--auther'", '--author'],
    ['log --limits 3', "unknown option '--limits'", '--limit'],
    ['show sites --confg x', "unknown option '--confg'", '--config'],
    ['serve --prot 1', "unknown option '--prot'", '--port'],
    ['dev --dialekt legacy', "unknown option '--dialekt'", '--dialect'],
    ['schemas x --jason', "unknown option '--jason'", '--json'],
    ['probe x --rates 1', "unknown option '--rates'", '--rate'],
    ['hosts --markdwn', "unknown option '--markdwn'", '--markdown'],
  ])('is reported with a suggestion: %s', async (call, problem, suggestion) => {
    const args = call.split(' ');
    expect(await run(...args)).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: ${problem}\n(Did you mean ${suggestion}?)\n${hintFor(args[0])}`,
    });
    if (suggestion === '--json') return;
    const { status, stdout, stderr } = await run(...args, '--json');
    expect({ status, stderr }).toEqual({ status: 2, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      findings: [{ code: 'usage', severity: 'error', message: problem, fix: `Did you mean ${suggestion}?` }],
    });
  });

  test.each([
    ['build --quux', "unknown option '--quux'"],
    ['build extra', "too many arguments for 'build'. Expected 0 arguments but got 1."],
    ['show', "missing required argument 'resource'"],
    ['schemas', "missing required argument 'folder'"],
    ['import x', "required option '-o, --out <folder>' not specified"],
    ['record', "required option '-m, --message <text>' not specified"],
    ['build --out', "option '--out <folder>' argument missing"],
    [
      'build --dialect modern',
      "option '--dialect <name>' argument 'modern' is invalid. Allowed choices are current, legacy.",
    ],
    ['log -n 0', "option '-n, --limit <number>' argument '0' is invalid. It must be a whole number of at least 1."],
    ['log -n 1.5', "option '-n, --limit <number>' argument '1.5' is invalid. It must be a whole number of at least 1."],
    // An empty argument usually comes from an unset shell variable.
    ...['publish ', 'prune ', 'serve ', 'apply x ', 'schemas ', 'init '].map((call) => [
      call,
      `command-argument value '' is invalid for argument '${/^p/.test(call) ? 'destination' : 'folder'}'. It must not be empty.`,
    ]),
    ['serve --address ', "option '--address <address>' argument '' is invalid. It must not be empty."],
    ['import x -o ', "option '-o, --out <folder>' argument '' is invalid. It must not be empty."],
    [
      'serve --port 65536',
      "option '--port <number>' argument '65536' is invalid. It must be a whole number from 0 to 65535.",
    ],
    [
      'dev --port http',
      "option '--port <number>' argument 'http' is invalid. It must be a whole number from 0 to 65535.",
    ],
  ])('is reported without a suggestion: %s', async (call, problem) => {
    expect(await run(...call.split(' '))).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: ${problem}\n${hintFor(call.split(' ')[0])}`,
    });
  });
});

describe('the exit status', () => {
  test('is 0 for success', async () => {
    expect(await run('check')).toEqual({ status: 0, stdout: 'No errors: 8 resources, 14 revisions.\n', stderr: '' });
  });

  test('is 1 for findings in the input', async () => {
    const other = newFolder();
    writeTestbed(other);
    writeFileSync(join(other, 'registry-data', nodeFile('lyra', 3)), nodeText(3));
    const stderr = `error: The registry has 1 unrecorded change:
  added sites/lyra/clusters/main/nodes/${nodeUid(3)} [unrecorded-changes]
  Record them: gridpress record -m "what happened".
`;
    // check prints findings to standard output, because they are its result; other commands print them to standard
    // error.
    expect(await gridpress(['check'], { cwd: other })).toEqual({ status: 1, stdout: stderr, stderr: '' });
    expect(await gridpress(['build'], { cwd: other })).toEqual({ status: 1, stdout: '', stderr });
  });

  test('is 2 for a command that cannot run', async () => {
    expect(await run('check', '--registry', 'nowhere')).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: There is no registry at "nowhere". [no-registry]
  Name one with --registry, or create one with "gridpress init" or "gridpress import".
`,
    });
    expect((await run('check', '--registry', '.')).stderr).toBe(
      'error: There is no registry at ".". [no-registry]\n  Did you mean "registry-data"?\n',
    );
    expect(await run('build', '--config', 'nowhere.yaml')).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: There is no configuration at nowhere.yaml. [no-configuration]
  Create it with at least "cluster_uid: NAME", or name another file with --config.
`,
    });
    expect(await run('serve', 'nowhere')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'error: There is no tree at nowhere. [no-tree]\n  Build one: gridpress build.\n',
    });
    expect(await run('schemas', 'gridpress.yaml/schemas')).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: gridpress.yaml/schemas/gridpress.schema.json cannot be written: a part of the path is not a folder. [write-failed]
  The existing files are unchanged. Correct the cause, and run the command again.
`,
    });
  });
});

describe('output outside a terminal', () => {
  const ESCAPE = '\u001b';

  test('has no color and no progress', async () => {
    const runs = [
      await run('build', '--out', 'plain'),
      await run('log'),
      await run('show', 'node-1'),
      await run('show', 'nothing'),
      await run('--help'),
    ];
    for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toContain(ESCAPE);
    expect(runs[0]?.stderr).toBe('');
  });

  test('has color if FORCE_COLOR is set', async () => {
    const { stdout } = await gridpress(['log', '-n', '1'], { cwd: folder, env: { FORCE_COLOR: '1' } });
    expect(stdout).toContain(ESCAPE);
  });

  test.each(['0', 'false', ''])('has no color if FORCE_COLOR is "%s"', async (value) => {
    const { stdout } = await gridpress(['log', '-n', '1'], { cwd: folder, env: { FORCE_COLOR: value } });
    expect(stdout).not.toContain(ESCAPE);
  });
});

describe('--json', () => {
  /** Runs a command and returns the one JSON object that it prints, with nothing on standard error. */
  async function json(status: number, ...args: string[]) {
    const result = await run(...args, '--json');
    expect({ args, status: result.status, stderr: result.stderr }).toEqual({ args, status, stderr: '' });
    expect(result.stdout.split('\n').length).toBe(2);
    return JSON.parse(result.stdout);
  }

  const failed = (code: string, message: string, fix: string) => ({
    ok: false,
    findings: [{ code, severity: 'error', message, fix }],
  });
  const NO_REGISTRY = failed(
    'no-registry',
    'There is no registry at "nowhere".',
    'Name one with --registry, or create one with "gridpress init" or "gridpress import".',
  );

  test('of init lists the created files', async () => {
    expect(await json(0, 'init', 'made', '--grid', 'testgrid')).toEqual({
      ok: true,
      folder: 'made',
      files: [
        ...[
          'gridpress',
          'grid',
          'site',
          'cluster',
          'node',
          'flavor',
          'server',
          'pdu',
          'network_equipment',
          'environment',
          'revision',
        ].map((name) => `schemas/${name}.schema.json`),
        ...['gridpress.yaml', 'registry-data/grid.yaml', 'package.json', '.gitignore'],
        '.gitattributes',
        'vendor/gridpress-0.1.0.tgz',
      ],
      findings: [],
    });
    expect(await json(2, 'init', 'made', '--grid', 'testgrid')).toEqual(
      failed(
        'not-empty',
        'made/registry-data already contains a registry.',
        'Name another folder, or use this registry.',
      ),
    );
  });

  test('of import lists revisions and warnings', async () => {
    const repository = join(folder, 'inventory');
    const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' });
    writeFiles(join(repository, 'data/testgrid'), [
      ['testgrid.json', '{"type":"grid","uid":"testgrid"}'],
      ['sites/kit/kit.json', '{"type":"site","uid":"kit","name":"Kit","site_class":"edge"}'],
      ['notes.json', '{}'],
    ]);
    execFileSync('git', ['init', '--quiet', repository]);
    git('add', '.');
    git('-c', 'user.name=Ada Brown', '-c', 'user.email=ada@testbed.example.org', 'commit', '--quiet', '-m', 'First');
    const head = git('rev-parse', 'HEAD').trim();
    expect(await json(0, 'import', 'inventory', '-o', 'imported/registry')).toEqual({
      ok: true,
      out: 'imported/registry',
      head,
      added: 1,
      revisions: 1,
      resources: 2,
      configuration: 'imported/gridpress.yaml',
      is_merge_due: false,
      findings: [
        {
          code: 'import-no-resource',
          severity: 'warning',
          message: `${head.slice(0, 8)}: data/testgrid/notes.json is not a resource.`,
          fix: 'The import omits it.',
        },
      ],
    });
    expect(await json(2, 'import', 'nowhere', '-o', 'other')).toMatchObject({
      ok: false,
      findings: [{ code: 'not-a-repository', severity: 'error' }],
    });
  });

  test('of check lists findings', async () => {
    expect(await json(0, 'check')).toEqual({ ok: true, resources: 8, revisions: 14, findings: [] });
    expect(await json(2, 'check', '--registry', 'nowhere')).toEqual(NO_REGISTRY);
    const other = newFolder();
    writeTestbed(other);
    writeFileSync(join(other, 'registry-data/grid.yaml'), 'type: grid\n');
    const { status, stdout } = await gridpress(['check', '--json'], { cwd: other });
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      revisions: 14,
      findings: [
        {
          code: 'schema',
          severity: 'error',
          message: '"uid": missing; expected a string.',
          fix: 'Add the field.',
          file: 'registry-data/grid.yaml',
          line: 1,
          column: 1,
        },
      ],
    });
  });

  test('of build describes the tree', async () => {
    const built = await json(0, 'build', '--out', 'built', '--snapshots', 'none');
    const { version } = JSON.parse(readFileSync(join(folder, 'built/index.json'), 'utf8'));
    const { digest, counts } = JSON.parse(readFileSync(join(folder, 'built/_manifest.json'), 'utf8'));
    expect(counts.snapshots).toBe(0);
    const result = { ok: true, ...counts, out: 'built', revision: version, digest, findings: [] };
    expect(built).toEqual({ ...result, is_written: true });
    expect(await json(0, 'build', '--out', 'built', '--snapshots', 'none')).toEqual({ ...result, is_written: false });
    expect(await json(2, 'build', '--out', 'built', '--at', 'fffffff')).toEqual(
      failed(
        'unknown-revision',
        'There is no revision "fffffff".',
        'Write a date as 2026-03-31, or name a revision: "gridpress log" lists them.',
      ),
    );
  });

  test('of record describes the revision', async () => {
    expect(await json(2, 'record', '-m', 'Nothing')).toEqual(
      failed(
        'nothing-to-record',
        'There is nothing to record. The registry matches its history.',
        'Edit the registry first. "gridpress log" lists the recorded revisions.',
      ),
    );
    const other = newFolder();
    const { revisions } = writeTestbed(other);
    writeFileSync(join(other, 'registry-data', nodeFile('lyra', 1)), nodeText(1, 'bios:\n  version: "1.11"\n'));
    const args = ['record', '-m', 'Update', '--author', 'Ada Brown', '--date', '2026-02-01T00:00:00Z', '--json'];
    const { status, stdout } = await gridpress(args, { cwd: other });
    expect(status).toBe(0);
    const { id, file, ...rest } = JSON.parse(stdout);
    expect(file).toBe(`registry-data/history/000013-${id.slice(0, 8)}.yaml`);
    expect(rest).toEqual({
      ok: true,
      parents: [revisions.joined.id],
      is_written: true,
      changes: [
        {
          resource: `/sites/lyra/clusters/main/nodes/${nodeUid(1)}`,
          name: 'node-1',
          action: 'updated',
          classes: ['firmware'],
          fields: [{ field: 'bios.version', class: 'firmware', at: '/bios/version', from: '1.10', to: '1.11' }],
        },
      ],
      findings: [],
    });
  });

  test('of serve and dev reports failures', async () => {
    expect(await json(2, 'serve', 'nowhere')).toEqual(
      failed('no-tree', 'There is no tree at nowhere.', 'Build one: gridpress build.'),
    );
    expect(await json(2, 'dev', '--registry', 'nowhere')).toEqual(NO_REGISTRY);
    const { status } = await run('build', '--out', 'shown', '--snapshots', 'none');
    expect(status).toBe(0);
    for (const [served, ...args] of [
      ['shown', 'serve', 'shown'],
      ['registry-data', 'dev', '--snapshots', 'none'],
    ]) {
      const server = await startServer(args, { cwd: folder });
      const url = `http://127.0.0.1:${server.port}/`;
      expect(server.said).toEqual({ ok: true, url, explorer: `${url}explorer/`, folder: served, findings: [] });
      const root = await (await fetch(url)).json();
      expect(root).toMatchObject({ type: 'grid', uid: 'testgrid' });
      await server.stop();
    }
  });

  test('of schemas lists the written files', async () => {
    const { ok, folder: where, files, findings } = await json(0, 'schemas', 'described');
    expect({ ok, where, findings }).toEqual({ ok: true, where: 'described', findings: [] });
    expect(files.filter((file: string) => !file.includes('/')).sort()).toEqual([
      ...[
        'cluster',
        'environment',
        'flavor',
        'grid',
        'gridpress',
        'lock',
        'network_equipment',
        'node',
        'pdu',
        'revision',
        'server',
        'site',
      ].map((name) => `${name}.schema.json`),
    ]);
    expect(readdirSync(join(folder, 'described'), { recursive: true })).toEqual(expect.arrayContaining(files));
    for (const file of files) {
      expect(JSON.parse(readFileSync(join(folder, 'described', file), 'utf8')).$schema).toBe(
        'https://json-schema.org/draft/2020-12/schema',
      );
    }
    const { findings: said } = await json(2, 'schemas', 'gridpress.yaml');
    expect(said.map(({ code }: { code: string }) => code)).toEqual(['write-failed']);
  });
});
