/** A preload script that records connections, listening sockets and name lookups in the file SOCKETS_RECORDED_IN. */
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import net from 'node:net';

const file = process.env['SOCKETS_RECORDED_IN'] ?? '';

function recorded(object, method) {
  const original = object[method];
  object[method] = function (...args) {
    // Pipes to child processes are sockets with an existing handle.
    const [first] = args.flat();
    appendFileSync(file, `${method} ${JSON.stringify(first?.host ?? first?.path ?? first)}\n`);
    return original.apply(this, args);
  };
}

recorded(net.Socket.prototype, 'connect');
recorded(net.Server.prototype, 'listen');
recorded(dgram.Socket.prototype, 'bind');
recorded(dgram.Socket.prototype, 'send');
recorded(dns, 'lookup');
recorded(dns.promises, 'lookup');
