import type { Socket } from 'node:net';

/** Which way nothing is forwarded. */
export type Direction = 'to the database' | 'to the server' | 'both ways';

/** One connection of a server to PostgreSQL, in two halves. */
export type ProxiedConnection = {
  /** Both halves stay open, and nothing is forwarded: as behind a firewall that forgot the connection. */
  readonly silence: (direction: Direction) => void;
  /** Forwards what was kept back, and everything after it. */
  readonly resume: () => void;
  /** Breaks both halves, as when a cable is pulled. */
  readonly reset: () => void;
  /** The server's half stays silent for ever; the database learns after a while that it is alone. */
  readonly forget: () => void;
};

export type Watch = {
  /** @returns what shall be done with bytes for the database. */
  readonly sent: (bytes: Buffer) => 'forward' | 'break' | 'break at the answer';
  readonly answered: () => void;
};

const databaseNoticesAfterMs = 5000;

/** Forwards in both directions what one half says to the other. */
export function proxyConnection(server: Socket, database: Socket, watch: Watch): ProxiedConnection {
  let breaksAtAnswer = false;
  const breakBoth = () => {
    breakHalf(server);
    breakHalf(database);
  };
  const toDatabase = forward(server, database, (bytes) => {
    const verdict = watch.sent(bytes);
    if (verdict === 'break') breakBoth();
    else if (verdict === 'break at the answer') breaksAtAnswer = true;
    return verdict !== 'break';
  });
  const toServer = forward(database, server, () => {
    watch.answered();
    if (breaksAtAnswer) breakBoth();
    return !breaksAtAnswer;
  });
  const silence = (direction: Direction) => {
    if (direction !== 'to the server') toDatabase.silence();
    if (direction !== 'to the database') toServer.silence();
  };
  let isForgotten = false;
  for (const half of [server, database]) {
    half.once('close', () => {
      if (isForgotten) return;
      server.destroy();
      database.destroy();
    });
  }
  return {
    silence,
    resume: () => {
      if (isForgotten) return;
      toDatabase.resume();
      toServer.resume();
    },
    reset: breakBoth,
    forget: () => {
      isForgotten = true;
      silence('both ways');
      setTimeout(() => database.destroy(), databaseNoticesAfterMs).unref();
    },
  };
}

type Flow = { readonly silence: () => void; readonly resume: () => void };

/** @param pass whether the bytes go on. */
function forward(from: Socket, to: Socket, pass: (bytes: Buffer) => boolean): Flow {
  let isSilent = false;
  from.on('data', (bytes: Buffer) => {
    if (pass(bytes) && !to.write(bytes)) from.pause();
  });
  to.on('drain', () => {
    if (!isSilent) from.resume();
  });
  from.on('end', () => to.end());
  return {
    silence: () => {
      isSilent = true;
      from.pause();
    },
    resume: () => {
      isSilent = false;
      from.resume();
    },
  };
}

/**
 * One that is ending already is only closed: resetting it fails, and then Node can never close it,
 * and does not end either.
 */
function breakHalf(half: Socket): void {
  if (half.writableEnded) half.destroy();
  else half.resetAndDestroy();
}
