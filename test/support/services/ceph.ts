/**
 * An object store: Ceph's gateway with one monitor and one in-memory storage daemon, each a process on free ports,
 * until the tests of a file end.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from '../folders.ts';
import { needs } from '../processes/programs.ts';
import { closeAtEnd } from '../trees/served.ts';
import { end, freePort, untilLogged } from './servers.ts';

export const CEPH = needs(
  ...['radosgw', 'radosgw-admin', 'ceph-mon', 'ceph-osd', 'ceph', 'ceph-authtool', 'monmaptool'],
);

export const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'testkey', AWS_SECRET_ACCESS_KEY: 'testsecret' } as const;

const run = promisify(execFile);

/** Starts the store and returns its URL when it listens. */
export async function startCeph(): Promise<string> {
  const folder = newFolder();
  const [monitor, port] = [await freePort(), await freePort()];
  const fsid = randomUUID();
  for (const name of ['mon', 'osd', 'run']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'ceph.conf'), configuration(folder, fsid, monitor, port));
  const env = { ...process.env, CEPH_CONF: join(folder, 'ceph.conf') };
  const options = { cwd: folder, env };
  const call = (command: string, ...args: string[]) => run(command, args, options);
  const start = (command: string, log: string, ...args: string[]): ChildProcess => {
    const output = openSync(join(folder, 'run', log), 'a');
    const child = spawn(command, ['-f', ...args], { ...options, stdio: ['ignore', output, output] });
    closeAtEnd(() => end(child, 'SIGKILL'));
    return child;
  };
  await call('ceph-authtool', '--create-keyring', 'keyring', '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *');
  for (const name of ['client.admin', 'client.rgw', 'osd.0'])
    await call(
      'ceph-authtool',
      'keyring',
      '--gen-key',
      '-n',
      name,
      ...['mon', 'osd'].flatMap((of) => ['--cap', of, 'allow *']),
    );
  await call('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', `[v2:127.0.0.1:${monitor}]`, 'monmap');
  await call('ceph-mon', '--mkfs', '-i', 'a', '--monmap', 'monmap', '--keyring', 'keyring');
  start('ceph-mon', 'mon.out', '-i', 'a');
  const osd = randomUUID();
  await call('ceph', 'osd', 'new', osd);
  await call('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd);
  start('ceph-osd', 'osd.out', '-i', '0');
  const { AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: secret } = CREDENTIALS;
  const user = ['--uid', 'test', '--display-name', 'test', '--access-key', key, '--secret-key', secret];
  await call('radosgw-admin', '-n', 'client.rgw', 'user', 'create', ...user);
  const gateway = start('radosgw', 'rgw.out', '-n', 'client.rgw');
  await untilLogged(join(folder, 'run', 'client.rgw.log'), /starting handler: beast/, gateway);
  return `http://127.0.0.1:${port}`;
}

function configuration(folder: string, fsid: string, monitor: number, port: number): string {
  return `[global]
fsid = ${fsid}
mon initial members = a
mon host = [v2:127.0.0.1:${monitor}]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon warn on pool no redundancy = false
run dir = ${folder}/run
log file = ${folder}/run/$name.log
admin socket = ${folder}/run/$name.asok
keyring = ${folder}/keyring
[mon.a]
mon data = ${folder}/mon
[osd.0]
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 1073741824
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw enable apis = s3, admin
rgw thread pool size = 32
`;
}
