import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { listen } from '../../bff/src/start/listen.ts';
import { type KeptMail, parseMail } from './kept-mail.ts';
import { faultOfAddress, type MailFault } from './mail-faults.ts';
import { mailboxApp } from './mailbox-app.ts';

export type Mailbox = {
  /** For the server: `smtp://127.0.0.1:2525`. */
  readonly smtpUrl: string;
  /** Of a server that sends its mails here. */
  readonly variables: { readonly SMTP_URL: string; readonly MAIL_FROM: string; readonly MAIL_SHOP_TO: string };
  readonly url: string;
  /** Oldest first, with those whose answer got lost. */
  readonly mails: () => readonly KeptMail[];
  /** Every mail goes wrong until a call without a fault. */
  readonly setFault: (fault?: MailFault) => void;
  readonly close: () => Promise<void>;
};

/** They are kept in memory. */
const usuallyKept = 200;

export type MailboxOptions = { readonly host: string; readonly port: number; readonly mostKept?: number };

/** Delivers nothing and shows what it was given. */
export async function startMailbox({ mostKept = usuallyKept, ...place }: MailboxOptions): Promise<Mailbox> {
  const kept: KeptMail[] = [];
  let arrived = 0;
  let fault: MailFault | undefined;
  const keep = async (source: Buffer, to: readonly string[]) => {
    arrived += 1;
    kept.push({ number: arrived, ...(await parseMail(source)), to });
    if (kept.length > mostKept) kept.shift();
  };
  const smtp = await listenForMails(place.host, { keep, mails: () => kept, fault: () => fault });
  const pages = await listen({ ...place, variable: 'MAILBOX_PORT', handler: () => mailboxApp(() => kept) });
  const smtpUrl = `smtp://${place.host === '0.0.0.0' ? '127.0.0.1' : place.host}:${smtp.port}`;
  return {
    smtpUrl,
    variables: { SMTP_URL: smtpUrl, MAIL_FROM: 'orders@shop.example', MAIL_SHOP_TO: 'owner@shop.example' },
    url: `http://localhost:${pages.port}`,
    mails: () => kept,
    setFault: (next) => {
      fault = next;
    },
    close: async () => void (await Promise.all([smtp.close(), pages.close(0)])),
  };
}

type Receiving = {
  readonly keep: (source: Buffer, to: readonly string[]) => Promise<void>;
  readonly mails: () => readonly KeptMail[];
  readonly fault: () => MailFault | undefined;
};

async function listenForMails(host: string, { keep, mails, fault }: Receiving) {
  const sockets = new Map<number, Socket>();
  const cut = (remotePort: number) => sockets.get(remotePort)?.destroy();
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    logger: false,
    onRcptTo: ({ address }, _, done) => {
      const wrong = fault() ?? faultOfAddress(address);
      if (wrong === 'refuse-address') return done(answer(550, `5.1.1 <${address}>: there is no such mailbox`));
      return done(wrong === 'busy' ? answer(451, '4.3.0 Please try later') : null);
    },
    onData: (stream, session, done) => {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      const receive = async () => {
        const source = await buffer(stream);
        const wrong = fault() ?? faultOfAddress(to[0] ?? '');
        if (wrong === 'hang') return;
        if (wrong === 'reject') return done(answer(554, '5.7.1 Rejected as spam'));
        const isRepeated = mails().some((mail) => source.includes(mail.messageId));
        await keep(source, to);
        if (wrong === 'lose-answers' && !isRepeated) return void cut(session.remotePort);
        return done();
      };
      receive().catch(done);
    },
  });
  // A peer that goes away is no error of this server.
  smtp.on('error', () => undefined);
  const server = createServer((socket) => {
    if (fault() === 'refuse-connections') return void socket.destroy();
    const port = socket.remotePort ?? 0;
    sockets.set(port, socket);
    socket.on('close', () => sockets.delete(port));
    smtp.connect(socket);
  });
  await new Promise<void>((listening) => server.listen(0, host, listening));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets.values()) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function answer(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}
