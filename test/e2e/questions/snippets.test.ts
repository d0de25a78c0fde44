/** The code that `gridpress find --snippet` prints, in the programs or the parsers of its languages. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { snippet } from '../../../src/core/exports/snippet.ts';
import { reservationByUid, SNIPPET_NAMES, type SnippetName } from '../../../src/core/exports/snippet-context.ts';
import { build } from '../../../src/features/build/build.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { needs, unless } from '../../support/processes/programs.ts';
import { NODE, registryOf } from '../../support/registries/registry.ts';
import { nodeFile, nodeUid } from '../../support/registries/testbed.ts';

/** `npm ci --prefix test/clients` installs the parser of Terraform files and DuckDB. */
const load = createRequire(join(import.meta.dirname, '../../clients/package.json'));

/** Nodes 2 and 3 have the same name. The name of node 4 cannot be in a command. */
const NAMES = new Map([
  [1, 'lyra-1'],
  [2, 'lyra-2'],
  [3, 'lyra-2'],
  [4, "lyra 4'; id"],
]);
const HOSTS = ['lyra-1', nodeUid(2), nodeUid(3), nodeUid(4)];
const FULL_HOSTS = HOSTS.map((host) => `${host}.lyra.grid5000.fr`);
const PATHS = [1, 2, 3, 4].map((n) => `sites/lyra/clusters/main/nodes/${nodeUid(n)}`);
/** A base URL that would run commands if it left its quotes. */
const HOSTILE = `https://h.example/'"\`id\`$(id)\${var.x}%{if}\\/`;

let folder = '';
let tree = '';

beforeAll(async () => {
  const text = (n: number, name: string) => `type: node\nuid: ${nodeUid(n)}\nnode_name: ${JSON.stringify(name)}\n`;
  const nodes = Array.from(NAMES, ([n, name]) => [nodeFile('lyra', n), text(n, name)] as const);
  const made = registryOf({ [NODE]: null, ...Object.fromEntries(nodes) }, newFolder());
  made.record('First');
  ({ folder } = made);
  tree = join(newFolder(), 'dist');
  await build({ registry: made.registry, out: tree, showsProgress: false });
});

async function found(name: SnippetName, ...more: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await gridpress(['find', '--snippet', name, ...more], { cwd: folder });
  expect(status, stderr).toBe(0);
  return stdout;
}

function hostile(name: SnippetName): string {
  const nodes = [1, 2, 3, 4].map((n) => ({ site: 'lyra', cluster: 'main', uid: nodeUid(n), name: NAMES.get(n) ?? '' }));
  return snippet(name, nodes.map(reservationByUid), new Map([['lyra', `L'y"ra\n$(id)`]]), HOSTILE).join('\n');
}

/** Runs a program with the text as a file. */
function run(program: string, args: (file: string) => readonly string[], text: string): string {
  const file = join(newFolder(), 'snippet');
  writeFileSync(file, text);
  return execFileSync(program, args(file), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function works(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args).status === 0;
}

/** Runs a snippet in bash. The named command prints its arguments, one per line. */
function shellArguments(command: string, text: string): string[] {
  const printed = run('bash', (file) => [file], `${command}() { printf '%s\\n' "$@"; }\n${text}`);
  return printed.trimEnd().split('\n');
}

/** Returns all strings in a Python program. */
function pythonStrings(text: string): string[] {
  const code = [
    'import ast, json, sys',
    'found = [n.value for n in ast.walk(ast.parse(open(sys.argv[1]).read())) if isinstance(n, ast.Constant)]',
    'print(json.dumps([each for each in found if isinstance(each, str)]))',
  ].join('\n');
  return JSON.parse(run('python3', (file) => ['-c', code, file], text));
}

describe('code that requests nodes', () => {
  test('oar names the clusters or the nodes in one SQL condition', async () => {
    const command = (nodes: number, condition: string) => [
      '-l',
      `host=${nodes},walltime=1:00:00`,
      '-p',
      condition,
      '-I',
    ];
    const hosts = FULL_HOSTS.map((host) => `'${host}'`);
    expect(shellArguments('oarsub', await found('oar'))).toEqual(command(4, "cluster IN ('main')"));
    expect(shellArguments('oarsub', await found('oar', '--limit', '3'))).toEqual(
      command(3, `network_address IN (${hosts.slice(0, 3).join(', ')})`),
    );
    expect(shellArguments('oarsub', hostile('oar'))).toEqual(command(4, `network_address IN (${hosts.join(', ')})`));
  });

  test('slurm lists the hosts', async () => {
    const expected = ['--nodes=4', `--nodelist=${HOSTS.join(',')}`];
    expect(shellArguments('salloc', await found('slurm'))).toEqual(expected);
    expect(shellArguments('salloc', hostile('slurm'))).toEqual(expected);
  });

  test.each([
    ['execo', () => FULL_HOSTS],
    ['enoslib', () => FULL_HOSTS],
    ['python-chi', () => [1, 2, 3, 4].map(nodeUid)],
  ] as const)('%s is a Python program with all nodes', async (name, expected) => {
    expect(pythonStrings(await found(name))).toEqual(expect.arrayContaining(expected()));
    expect(pythonStrings(hostile(name))).toEqual(expect.arrayContaining(expected()));
  });
});

/** 08:00 in UTC, when it is 09:00 at Grid'5000. */
const TIMED = ['--start', '2026-12-01T10:00+02:00', '--duration', '26h'];

describe('the start and the duration of a reservation', () => {
  test('openstack has both in UTC', async () => {
    const timed = shellArguments('openstack', await found('openstack', ...TIMED));
    const optionOf = (option: string) => timed[timed.indexOf(option) + 1];
    expect([optionOf('--start-date'), optionOf('--end-date')]).toEqual(['2026-12-01 08:00', '2026-12-02 10:00']);
    const text = await found('openstack', '--duration', '90m');
    expect(text).toContain("END=$(date -u -d '+90 minutes' '+%Y-%m-%d %H:%M')");
    const short = shellArguments('openstack', text);
    expect(short[short.indexOf('--end-date') + 1]).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/);
    expect(short).not.toContain('--start-date');
  });

  test('python-chi has a start and an end in UTC, because its duration would begin now', async () => {
    const text = await found('python-chi', ...TIMED);
    expect(text).toContain(
      'time = {"start_date": datetime(2026, 12, 1, 8, 0), "end_date": datetime(2026, 12, 2, 10, 0)}',
    );
    expect(text).toContain('my_lease.submit(idempotent=True, wait_for_active=False)');
    expect(await found('python-chi', '--duration', '90m')).toContain('time = {"duration": timedelta(minutes=90)}');
  });

  test('oar and slurm convert the start to the time zone of the machine', async () => {
    const inParis = (text: string) => `export TZ=Europe/Paris\n${text}`;
    const timed = shellArguments('oarsub', inParis(await found('oar', ...TIMED)));
    expect(timed.slice(-2)).toEqual(['-r', '2026-12-01 09:00:00']);
    expect(timed[1]).toBe('host=4,walltime=26:00:00');
    // OAR refuses an interactive job with a start.
    expect(timed).not.toContain('-I');
    expect(shellArguments('salloc', inParis(await found('slurm', ...TIMED))).slice(-2)).toEqual([
      '--time=1560',
      '--begin=2026-12-01T09:00:00',
    ]);
  });

  test.each(['execo', 'enoslib'] as const)("%s converts the start to the time of Grid'5000", async (name) => {
    const text = await found(name, ...TIMED);
    const lines = text.split('\n').filter((line) => /^start = |^from (datetime|zoneinfo)/.test(line));
    const program = [...lines, 'print(start)'].join('\n');
    expect(run('python3', (file) => [file], program)).toBe('2026-12-01 09:00:00\n');
    expect(pythonStrings(text)).toContain('26:00:00');
    expect(text).toMatch(/, reserv\w+=start\)/);
  });

  test.each([
    [['--snippet', 'oar', '--start', '2026-12-01 08:00'], 'It must be a time in minutes with an offset'],
    [['--snippet', 'oar', '--start', '2026-02-30T08:00Z'], 'It must be a time in minutes with an offset'],
    [['--snippet', 'oar', '--duration', '1:30'], 'It must be a number with m, h or d, such as 90m, 4h or 2d.'],
    [['--snippet', 'ssh', '--duration', '1h'], 'error: --start and --duration need --snippet with one of python-chi'],
    [['--start', '2026-12-01T08:00Z'], 'error: --start and --duration need --snippet with one of python-chi'],
  ])('%j is rejected', async (args, message) => {
    const { status, stdout, stderr } = await gridpress(['find', ...args], { cwd: folder });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});

describe('code that describes hosts', () => {
  const ssh = needs('ssh');

  test.skipIf(ssh.isMissing)(`ssh accepts the configuration${ssh.because}`, async () => {
    const text = await found('ssh');
    for (const host of HOSTS) {
      const settings = run('ssh', (file) => ['-G', '-F', file, host], text).split('\n');
      expect(settings).toEqual(expect.arrayContaining([`hostname ${host}.lyra.example.org`, 'user root']));
    }
  });

  test('ssh and ansible distinguish nodes of two sites that have the same uid', () => {
    const node = (site: string, uid: string) => reservationByUid({ site, cluster: 'main', uid, name: uid });
    const nodes = [node('lyra', 'n1'), node('lyra', 'n2'), node('vega', 'n1')];
    const textOf = (name: SnippetName) => snippet(name, nodes, new Map(), undefined).join('\n');
    expect(textOf('ssh')).toBe(`# Replace example.org by the domain of the nodes, and the user name.
Host n2
  HostName %h.lyra.example.org
  User root
Host n1.main.lyra
  HostName n1.lyra.example.org
  User root
Host n1.main.vega
  HostName n1.vega.example.org
  User root`);
    const groups = {
      site_lyra: { hosts: { 'n1.main.lyra': {}, n2: {} } },
      site_vega: { hosts: { 'n1.main.vega': {} } },
    };
    expect(parse(textOf('ansible'))).toEqual({ all: { children: groups } });
  });

  test('ansible has one group for two sites whose group names are equal', () => {
    const node = (site: string, uid: string) => reservationByUid({ site, cluster: 'main', uid, name: uid });
    const nodes = [node('a-b', 'n1'), node('lyra', 'n2'), node('a_b', 'n3')];
    const groups = { site_a_b: { hosts: { n1: {}, n3: {} } }, site_lyra: { hosts: { n2: {} } } };
    expect(parse(snippet('ansible', nodes, new Map(), undefined).join('\n'))).toEqual({ all: { children: groups } });
  });

  test('ansible has a group with the hosts', async () => {
    const hosts = Object.fromEntries(HOSTS.map((host) => [host, {}]));
    expect(parse(await found('ansible'))).toEqual({ all: { children: { site_lyra: { hosts } } } });
  });
});

describe('code that reads documents', () => {
  test('terraform declares a request for each node', async () => {
    const declared = (text: string) => load('hcl2-parser').parseToObject(text)[0];
    const { data, variable } = declared(await found('terraform'));
    expect([...data.http.node[0].for_each.matchAll(/"(.*)",/g)].map(([, path]) => path)).toEqual(PATHS);
    expect(variable.base[0].default).toBeUndefined();
    const [base] = declared(hostile('terraform')).variable.base;
    expect(base.default.replaceAll('$${', '${').replaceAll('%%{', '%{')).toBe(HOSTILE.slice(0, -1));
  });

  test('curl prints the documents', async () => {
    const texts = PATHS.map((path) => readFileSync(join(tree, `${path}.json`), 'utf8').trimEnd());
    const text = `BASE=file://${tree}\n${await found('curl')}`;
    expect(
      run('bash', (file) => [file], text)
        .trimEnd()
        .split('\n'),
    ).toEqual(texts);
    const [, given] = shellArguments('curl', hostile('curl'));
    expect(given).toBe(`${HOSTILE.slice(0, -1)}/${PATHS[0]}.json`);
  });

  test('pandas is a Python program with the paths of all nodes', async () => {
    expect(pythonStrings(await found('pandas'))).toEqual(expect.arrayContaining(['BASE', ...PATHS]));
    expect(pythonStrings(hostile('pandas'))).toContain(HOSTILE.slice(0, -1));
  });

  // The package of Debian is for the Python of Debian, which need not be the first one.
  const python = ['python3', '/usr/bin/python3'].find((each) => works(each, '-c', 'import pandas'));
  const pandas = unless(python !== undefined, 'pandas is not installed');
  test.skipIf(pandas.isMissing)(`pandas makes a table of the nodes${pandas.because}`, async () => {
    const text = `import os\nos.environ["BASE"] = ${JSON.stringify(`file://${tree}`)}\n${await found('pandas')}\nprint(list(nodes["uid"]))`;
    expect(run(python ?? '', (file) => [file], text).trimEnd()).toMatch(
      new RegExp(`\\['${[1, 2, 3, 4].map(nodeUid).join("', '")}'\\]$`),
    );
  });

  test('duckdb makes a table of the nodes', async () => {
    // The extension for HTTP is not part of DuckDB, and files do not need it.
    const text = (await found('duckdb')).replace(/^.*httpfs;\n/gm, '').replace("'BASE'", `'${tree}'`);
    const connection = await (await load('@duckdb/node-api').DuckDBInstance.create(':memory:')).connect();
    try {
      await connection.run(text);
      const rows = await connection.runAndReadAll('SELECT uid::VARCHAR FROM nodes ORDER BY uid');
      expect(rows.getRows().flat()).toEqual([1, 2, 3, 4].map(nodeUid));
    } finally {
      connection.closeSync();
    }
  });

  test('duckdb quotes the base URL', () => {
    expect(hostile('duckdb')).toContain("SET VARIABLE base = 'https://h.example/''\"`id`");
  });

  const r = unless(works('Rscript', '-e', 'library(jsonlite)'), 'jsonlite for R is not installed');
  test.skipIf(r.isMissing)(`R reads the nodes${r.because}`, async () => {
    const text = `Sys.setenv(BASE = "${tree}")\n${await found('r')}cat(sapply(nodes, function(node) node$uid))\n`;
    expect(run('Rscript', (file) => [file], text)).toMatch(new RegExp(`${[1, 2, 3, 4].map(nodeUid).join(' ')}$`));
  });
});

test('no snippet has a line that a hostile name or URL began', () => {
  for (const name of SNIPPET_NAMES) expect(hostile(name), name).not.toMatch(/^\$\(id\)/m);
});

test('no comment of a shell snippet has characters of a shell, because an interactive zsh runs comments', () => {
  const name = '$(id) `id`; id | id & <(id) {a,b} *(N) =ls ~ !! (Lyon) Zürich';
  for (const kind of ['openstack', 'oar', 'slurm'] as const) {
    const nodes = [{ site: 'lyra', cluster: 'main', uid: nodeUid(1), name: 'lyra-1' }];
    const lines = snippet(kind, nodes.map(reservationByUid), new Map([['lyra', name]]), undefined);
    const [comment = '', ...others] = lines.filter((line) => line.includes('Zürich'));
    expect(comment).toMatch(/^# [\p{L}\p{N} @.,:+_/-]+Zürich$/u);
    expect(others).toEqual([]);
  }
});

const zsh = needs('zsh');
test.skipIf(zsh.isMissing)(`an interactive zsh runs shell snippets like bash${zsh.because}`, async () => {
  const inZsh = (command: string, text: string) => {
    const input = `${command}() { printf '%s\\n' "$@"; }\n${text}`;
    const { stdout } = spawnSync('zsh', ['-f', '-i'], { input, encoding: 'utf8' });
    return stdout.trimEnd().split('\n');
  };
  const openstack = await found('openstack', ...TIMED);
  expect(inZsh('openstack', openstack)).toEqual(shellArguments('openstack', openstack));
  expect(inZsh('openstack', await found('openstack')).join(' ')).toMatch(/--end-date \d{4}-/);
  const curl = `BASE=file://${tree}\n${await found('curl')}`;
  expect(inZsh('ignored', curl).join('\n')).toBe(run('bash', (file) => [file], curl).trimEnd());
});
