import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Encryption } from '../../database-address.ts';
import { dial } from './dial.ts';
import { type Address, type Hosts, suits } from './hosts.ts';
import {
  endingError,
  firstMessage,
  invalidStatementError,
  kindQuery,
  kindReports,
  readSession,
  readyBytes,
  readyFor,
  sessionKey,
} from './messages.ts';
import { faultOf, isNetworkFault } from './network-fault.ts';
import { createSilence, type Silence } from './silence.ts';
import { createTurns, type Turns } from './turns.ts';
import { createErrorCollector } from './whole-errors.ts';

export type SocketPool = {
  readonly hosts: Hosts;
  readonly encryption: Encryption | undefined;
  /** As in `target_session_attrs`. */
  readonly wanted: string | null | undefined;
  /** How long the server may be silent after a statement; undefined: no limit. */
  readonly silenceMs: number | undefined;
  readonly isInTurns: boolean;
  readonly sockets: Set<DatabaseSocket>;
};

const sessions = new Map<string, DatabaseSocket>();

/**
 * Until the transaction ends.
 * @param state of any answer in the transaction.
 */
export function allowSilence(state: { readonly pid: number; readonly secret: number }, milliseconds?: number): void {
  sessions.get(sessionKey(state))?.allowSilence(milliseconds);
}

let receiving: DatabaseSocket | undefined;

/** Fails the statement that postgres.js is handling, and closes its connection. */
export function failReceivingSocket(error: Error): void {
  receiving?.destroy(error);
}

/** As long as postgres.js waits for a connection. */
const avoidUnusableMs = 2000;
const avoidUnreachableMs = 250;
/** Longer than the longest pause of postgres.js before it connects again. */
const avoidSilentMs = 1000;
const closeWithinMs = 1000;
const nothing = Buffer.alloc(0);

/**
 * The part of `net.Socket` that postgres.js 3.4.9 uses. postgres.js does not handle all events of a real socket (see
 * docs/topics/database-driver-and-poolers.md). This one emits `error` and `close` in the same turn, so that postgres.js
 * sends nothing in between, and fails when the server is silent for too long.
 */
export class DatabaseSocket extends EventEmitter {
  host: string | undefined;
  port: number | undefined;
  readonly #pool: SocketPool;
  readonly #closing = new AbortController();
  readonly #silence: Silence;
  #address: Address | undefined;
  #inner: Socket | undefined;
  #turns: Turns | undefined;
  #first: Buffer | undefined;
  /** The bytes up to the first ReadyForQuery; undefined afterwards. */
  #collectErrors = createErrorCollector();
  #greeting: Buffer | undefined = nothing;
  /** The answer to `kindQuery` so far; undefined unless the server is being asked. */
  #kind: Buffer | undefined;
  #session: string | undefined;
  #isLost = false;

  constructor(pool: SocketPool) {
    super();
    this.#pool = pool;
    this.#silence = createSilence(pool.silenceMs, () => this.#failWithOthers());
    pool.sockets.add(this);
    // postgres.js adds its listeners only after it got the socket.
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
    // Without a connection, these bytes were meant for a host that was abandoned.
    if (this.#inner === undefined) return true;
    return this.#turns === undefined ? this.#send(bytes, written) : this.#turns.write(bytes, written);
  }

  #send(bytes: Buffer, written?: (error?: Error | null) => void): boolean {
    this.#silence.sent();
    return this.#inner?.write(bytes, written) ?? true;
  }

  end(bytes: Buffer): void {
    this.#inner?.end(bytes);
    setTimeout(() => this.destroy(), this.#inner === undefined ? 0 : closeWithinMs).unref();
  }

  /** The only end of a socket: `error` and `close` in the same turn. */
  destroy(error?: Error): void {
    if (this.readyState === 'closed') return;
    // A frozen machine still accepts connections, but never becomes ready.
    if (this.#isStarting()) this.#avoidHost(avoidUnusableMs);
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
        const perHost = hosts.isOnlyOne ? this.#closing.signal : withDialTimeout(this.#closing.signal);
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
    this.#turns = this.#pool.isInTurns ? createTurns((bytes, written) => this.#send(bytes, written)) : undefined;
    this.#collectErrors = createErrorCollector();
    this.#greeting = nothing;
    this.#kind = undefined;
    this.#isLost = false;
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

  #receive(arrived: Buffer): void {
    if (this.#isLost) return;
    this.#silence.received();
    const received = this.#collectErrors(arrived);
    if (received.length === 0) return;
    const last = endingError(received) ?? invalidStatementError(received);
    const bytes = last?.before ?? received;
    const ready = readyFor(bytes);
    const passed = this.#afterGreeting(bytes, ready !== undefined);
    if (ready === 'any') this.#silence.forgetAllowance();
    if (last === undefined) this.#turns?.received(received);
    if (passed.length > 0) this.#pass(passed);
    if (last !== undefined) this.#lose(last.error);
  }

  #afterGreeting(bytes: Buffer, isReady: boolean): Buffer {
    if (this.#greeting === undefined) return bytes;
    return this.#kind === undefined ? this.#greet(bytes, isReady) : this.#learnKind(bytes, isReady);
  }

  #pass(bytes: Buffer): void {
    receiving = this;
    try {
      this.emit('data', bytes);
    } finally {
      receiving = undefined;
    }
  }

  /** Asks each of several hosts before postgres.js learns that it is ready. */
  #greet(bytes: Buffer, isReady: boolean): Buffer {
    this.#greeting = Buffer.concat([this.#greeting ?? nothing, bytes]);
    if (!isReady) return bytes;
    if (this.#pool.hosts.isOnlyOne || !this.#pool.wanted) return this.#welcome(bytes);
    this.#kind = nothing;
    this.#inner?.write(kindQuery);
    return bytes.subarray(0, -readyBytes);
  }

  #welcome(bytes: Buffer): Buffer {
    const { key } = readSession(this.#greeting ?? nothing);
    this.#greeting = undefined;
    this.#session = key;
    sessions.set(key, this);
    return bytes;
  }

  #learnKind(bytes: Buffer, isReady: boolean): Buffer {
    const answer = Buffer.concat([this.#kind ?? nothing, bytes]);
    this.#kind = answer;
    if (!isReady) return nothing;
    this.#kind = undefined;
    const reports = kindReports(answer);
    if (reports !== undefined && suits(this.#pool.wanted, readSession(reports).parameters)) {
      return this.#welcome(Buffer.concat([reports, answer.subarray(-readyBytes)]));
    }
    this.#tryNextHost();
    return nothing;
  }

  /** Ends a turn later: only then does a `begin` that was just answered listen for its connection's end. */
  #lose(error?: Error): void {
    if (this.#isLost) return;
    this.#isLost = true;
    const lost = this.#inner;
    setImmediate(() => (this.#inner === lost ? this.#endLost(error) : undefined));
  }

  #endLost(error: Error | undefined): void {
    const isStarting = this.#isStarting();
    if (isStarting && !this.#pool.hosts.isOnlyOne && (error === undefined || isNetworkFault(error))) {
      this.#tryNextHost();
    } else if (isStarting && error === undefined) {
      // Without an error, postgres.js would reconnect for ever without a pause.
      this.destroy(faultOf('ECONNRESET', 'The database closed the connection before it was ready'));
    } else {
      this.destroy(error);
    }
  }

  #isStarting(): boolean {
    return this.#greeting !== undefined;
  }

  #avoidHost(milliseconds: number): void {
    if (this.#address !== undefined) this.#pool.hosts.avoid(this.#address, milliseconds);
  }

  /** postgres.js does not notice the new host: it just answers its authentication request. */
  #tryNextHost(): void {
    this.#avoidHost(avoidUnusableMs);
    this.#leave();
    void this.#connect();
  }

  /**
   * A silently lost connection is rarely the only one, so idle connections of the pool are closed too. Another host may
   * be the primary now, so it is tried first.
   */
  #failWithOthers(): void {
    this.#avoidHost(avoidSilentMs);
    const error = faultOf('ETIMEDOUT', 'The database has been silent for too long');
    const suspected = [...this.#pool.sockets].filter((other) => other.#silence.isLongerThan(this.#silence));
    this.destroy(error);
    for (const other of suspected) other.destroy(error);
  }
}

/** A second is half of postgres.js's connection timeout. */
function withDialTimeout(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(1000)]);
}
