import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { dial, type Encryption } from './dial.ts';
import { type Address, type Hosts, suits } from './hosts.ts';
import { firstMessage, isCancelRequest, lastWords, readSession, readyFor, sessionKey } from './messages.ts';
import { createSilence, type Silence } from './silence.ts';

/** What all sockets of one pool share. */
export type SocketPool = {
  readonly hosts: Hosts;
  readonly encryption: Encryption | undefined;
  /** What kind of server is wanted, as in `target_session_attrs`. */
  readonly wanted: string | null | undefined;
  /** How long the server may be silent after a statement was sent; undefined: without end. */
  readonly silenceMs: number | undefined;
  readonly sockets: Set<DatabaseSocket>;
};

const sessions = new Map<string, DatabaseSocket>();

/**
 * Lets the server be silent for longer, on the connection of a transaction and until it ends.
 * @param state of any answer in the transaction.
 */
export function allowSilence(state: { readonly pid: number; readonly secret: number }, milliseconds?: number): void {
  sessions.get(sessionKey(state))?.allowSilence(milliseconds);
}

/** A server that cannot be used is left alone for so long: as long as postgres.js waits for a connection. */
const avoidUnusableMs = 2000;
const avoidUnreachableMs = 250;
const closeWithinMs = 1000;

/**
 * The socket that postgres.js 3.4.9 gets, with the part of `net.Socket` that it uses. It exists because postgres.js does not survive all that a
 * real socket does (see docs/decisions/0023): it hears of an error and of the closing in one turn, so that it sends nothing in between; and a
 * server that is silent for too long is an error.
 */
export class DatabaseSocket extends EventEmitter {
  host: string | undefined;
  port: number | undefined;
  readonly #pool: SocketPool;
  readonly #closing = new AbortController();
  readonly #silence: Silence;
  #address: Address | undefined;
  #inner: Socket | undefined;
  #first: Buffer | undefined;
  /** What came until the server was ready for the first time; undefined since. */
  #greeting: Buffer | undefined = Buffer.alloc(0);
  #session: string | undefined;
  #isLost = false;

  constructor(pool: SocketPool) {
    super();
    this.#pool = pool;
    this.#silence = createSilence(pool.silenceMs, () => this.#failWithOthers());
    pool.sockets.add(this);
    // postgres.js listens only after it was given the socket.
    setImmediate(() => void this.#connect());
  }

  get readyState(): 'open' | 'closed' {
    return this.#closing.signal.aborted ? 'closed' : 'open';
  }

  write(bytes: Buffer, written?: (error?: Error | null) => void): boolean {
    if (this.#first === undefined) {
      this.#first = firstMessage(bytes);
      this.#inner?.write(this.#first);
      return true;
    }
    // Without a connection, this was meant for a host that was left since.
    if (this.#inner === undefined) return true;
    this.#silence.asked();
    return this.#inner.write(bytes, written);
  }

  end(bytes: Buffer): void {
    this.#inner?.end(bytes);
    setTimeout(() => this.destroy(), this.#inner === undefined ? 0 : closeWithinMs).unref();
  }

  /** The only end of a socket: postgres.js hears of the error and of the closing in one turn. */
  destroy(error?: Error): void {
    if (this.readyState === 'closed') return;
    const isDialing = this.#inner === undefined;
    if (isDialing && this.#address !== undefined) this.#pool.hosts.avoid(this.#address, avoidUnusableMs);
    this.#closing.abort();
    this.#leave();
    this.#silence.end();
    this.#pool.sockets.delete(this);
    if (error !== undefined) this.emit('error', error);
    this.emit('close', error !== undefined);
  }

  pause(): void {
    this.#inner?.pause();
  }

  resume(): void {
    this.#inner?.resume();
  }

  allowSilence(milliseconds: number | undefined): void {
    this.#silence.allow(milliseconds);
  }

  /** Dials until a host answers, or postgres.js has waited for too long and destroys this socket. */
  async #connect(): Promise<void> {
    const { hosts, encryption } = this.#pool;
    while (this.readyState === 'open') {
      const address = hosts.next();
      if (address === undefined) {
        await pause(50);
        continue;
      }
      this.#goTo(address);
      try {
        const perHost = hosts.isOnlyOne ? this.#closing.signal : hostSignal(this.#closing.signal);
        this.#use(await dial(address, encryption, perHost));
        return;
      } catch (error) {
        const failure = error instanceof Error ? error : new Error(String(error));
        if (hosts.isOnlyOne || !isNetworkFault(failure)) return this.destroy(failure);
        hosts.avoid(address, avoidUnreachableMs);
      }
    }
  }

  #goTo(address: Address): void {
    this.#address = address;
    [this.host, this.port] = 'host' in address ? [address.host, address.port] : [undefined, undefined];
  }

  #use(socket: Socket): void {
    if (this.readyState === 'closed') return void socket.destroy();
    this.#inner = socket;
    this.#greeting = Buffer.alloc(0);
    this.#isLost = false;
    // What a socket says after it was left is of no interest.
    const whileCurrent = (act: () => void) => (this.#inner === socket ? act() : undefined);
    socket.on('data', (bytes: Buffer) => whileCurrent(() => this.#receive(bytes)));
    socket.on('error', (error) => whileCurrent(() => this.#lose(error)));
    socket.on('end', () => whileCurrent(() => this.#lose()));
    socket.on('close', () => whileCurrent(() => this.#lose()));
    if (this.#first !== undefined) socket.write(this.#first);
  }

  #leave(): void {
    if (this.#session !== undefined) sessions.delete(this.#session);
    this.#session = undefined;
    const left = this.#inner;
    this.#inner = undefined;
    left?.destroy();
  }

  #receive(received: Buffer): void {
    this.#silence.heard();
    const last = lastWords(received);
    const bytes = last?.before ?? received;
    const ready = readyFor(bytes);
    if (this.#greeting !== undefined && !this.#greet(bytes, ready !== undefined)) return;
    if (ready === 'any') this.#silence.forgetAllowance();
    if (bytes.length > 0) this.emit('data', bytes);
    if (last !== undefined) this.#lose(last.error);
  }

  /** @returns whether this is a server that is wanted. */
  #greet(bytes: Buffer, isReady: boolean): boolean {
    this.#greeting = Buffer.concat([this.#greeting ?? Buffer.alloc(0), bytes]);
    if (!isReady) return true;
    const { key, parameters } = readSession(this.#greeting);
    const isWanted = this.#pool.hosts.isOnlyOne || suits(this.#pool.wanted, parameters);
    if (!isWanted) {
      this.#tryNextHost();
      return false;
    }
    this.#greeting = undefined;
    this.#session = key;
    sessions.set(key, this);
    return true;
  }

  /** A turn later: a `begin` that was answered just now has to go on first, because it hears only then of its connection's end. */
  #lose(error?: Error): void {
    if (this.#isLost) return;
    this.#isLost = true;
    const lost = this.#inner;
    setImmediate(() => (this.#inner === lost ? this.#endLost(error) : undefined));
  }

  #endLost(error: Error | undefined): void {
    const isStarting = this.#greeting !== undefined && this.#first !== undefined && !isCancelRequest(this.#first);
    if (isStarting && !this.#pool.hosts.isOnlyOne && (error === undefined || isNetworkFault(error))) {
      this.#tryNextHost();
    } else if (isStarting && error === undefined) {
      // Without an error, postgres.js would try again without end, and without a pause.
      this.destroy(faultOf('ECONNRESET', 'The database closed the connection before it was ready'));
    } else {
      this.destroy(error);
    }
  }

  /** postgres.js does not notice the change of host: it answers the authentication request of the next host. */
  #tryNextHost(): void {
    if (this.#address !== undefined) this.#pool.hosts.avoid(this.#address, avoidUnusableMs);
    this.#leave();
    void this.#connect();
  }

  /**
   * A connection that was lost without a word is seldom the only one: those of the same pool that have heard nothing since, and wait for nothing,
   * are closed too. Otherwise each statement that is tried again could meet the next one of them.
   */
  #failWithOthers(): void {
    const error = faultOf('ETIMEDOUT', 'The database has been silent for too long');
    const suspected = [...this.#pool.sockets].filter((other) => other.#silence.isLongerThan(this.#silence));
    this.destroy(error);
    for (const other of suspected) other.destroy(error);
  }
}

/** Aborts with `signal`, and after a second: half of the time that postgres.js waits for a connection. */
function hostSignal(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(1000)]);
}

/** The network, or a server that is starting, stopping or full: another host may be better off. */
function isNetworkFault(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return /^(ECONN|EPIPE|EHOST|ENET|ETIMEDOUT|EADDR|EAI_|ENOTFOUND|ENOENT|57P0|53300)/.test(code);
}

function faultOf(code: 'ECONNRESET' | 'ETIMEDOUT', message: string): Error {
  return Object.assign(new Error(message), { code });
}
