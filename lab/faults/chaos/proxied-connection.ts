import type { Socket } from 'node:net';

export type Direction = 'to the database' | 'to the server' | 'both ways';

/** A socket to the server and one to the database. */
export type ProxiedConnection = {
  /** Like a firewall that forgot the connection. */
  readonly silence: (direction: Direction) => void;
  readonly resume: () => void;
  readonly reset: () => void;
  /** The server's socket stays silent for ever; the database's is closed after a while. */
  readonly forget: () => void;
};

export type Watch = {
  /** @returns what to do with bytes for the database. */
  readonly sent: (bytes: Buffer) => 'forward' | 'break' | 'break at the answer';
  readonly answered: () => void;
};

const databaseNoticesAfterMs = 5000;

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

/** Resetting a socket that is already ending fails, and then Node can neither close it nor exit. */
function breakHalf(half: Socket): void {
  if (half.writableEnded) half.destroy();
  else half.resetAndDestroy();
}
