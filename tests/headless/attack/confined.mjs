/**
 * Loaded into the headless program before anything else: resolves the hosts of a test to local
 * ports, refuses every other connection that leaves this computer, and records all attempts and all
 * started programs.
 *
 * `ATTACK_HOSTS` is an object of ports by host name, `ATTACK_RECORD` the file to append to.
 */
import childProcess from 'node:child_process';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/** @type {Record<string, number>} */
const hosts = JSON.parse(process.env['ATTACK_HOSTS'] ?? '{}');
const file = process.env['ATTACK_RECORD'] ?? '';
const record = (/** @type {string} */ line) => appendFileSync(file, `${line}\n`);
const isLocal = (/** @type {string} */ host) => /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host);

/** An address of the public internet, which is never connected to. */
const PUBLIC = '93.184.215.14';

const lookup = dns.lookup;
dns.lookup = /** @type {typeof dns.lookup} */ (
  /** @type {unknown} */ (
    (/** @type {string} */ host, /** @type {any} */ options, /** @type {any} */ callback) => {
      const done = callback ?? options;
      if (isLocal(host) || net.isIP(host)) return lookup(host, options, callback);
      if (!(host in hosts)) {
        record(`resolve ${host}`);
        return done(Object.assign(new Error(`ENOTFOUND ${host}`), { code: 'ENOTFOUND' }));
      }
      if (options.all) return done(null, [{ address: PUBLIC, family: 4 }]);
      return done(null, PUBLIC, 4);
    }
  )
);

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = /** @type {typeof connect} */ (
  /** @type {unknown} */ (
    /** @this {net.Socket} */
    function (/** @type {any[]} */ ...args) {
      const [first] = args;
      const options = Array.isArray(first) ? first[0] : first;
      const host = options?.host ?? 'localhost';
      if (typeof options !== 'object' || options.path || isLocal(host)) {
        return Reflect.apply(connect, this, args);
      }
      record(`connect ${host}`);
      const port = hosts[host];
      if (port === undefined) {
        const error = Object.assign(new Error(`ENETUNREACH ${host}`), { code: 'ENETUNREACH' });
        // Later, as a real failure would come, so that the caller can listen for it.
        setImmediate(() => this.destroy(error));
        return this;
      }
      Object.defineProperty(this, 'remoteAddress', { get: () => PUBLIC });
      return Reflect.apply(connect, this, [{ host: '127.0.0.1', port }]);
    }
  )
);

const { spawn } = childProcess;
childProcess.spawn = /** @type {typeof spawn} */ (
  (/** @type {any[]} */ ...args) => {
    record(`spawn ${JSON.stringify([args[0], args[1]])}`);
    return Reflect.apply(spawn, childProcess, args);
  }
);
for (const name of /** @type {const} */ ([
  'exec',
  'execFile',
  'execSync',
  'execFileSync',
  'spawnSync',
  'fork',
])) {
  const original = /** @type {Function} */ (childProcess[name]);
  /** @type {any} */ (childProcess)[name] = (/** @type {any[]} */ ...args) => {
    record(`spawn ${JSON.stringify([name, args[0]])}`);
    return Reflect.apply(original, childProcess, args);
  };
}
syncBuiltinESMExports();
