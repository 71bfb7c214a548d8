import { createTransport } from 'nodemailer';
import { readNote } from '../proof/checkpoint-note.ts';
import { fileOfNote, type NoteToSend, timeoutSeconds, type Witness } from './witness.ts';

export type MailPlace = {
  /** `smtps://user:password@host` or `smtp://...`. User and password are percent-encoded. */
  readonly smtpUrl: string;
  readonly from: string;
  readonly to: string;
};

/**
 * Sends notes as mails. The note is in the text, for people and for `verify --against`, and in a file. Without TLS it
 * sends to this machine only.
 */
export function mailWitness({ smtpUrl, from, to }: MailPlace): Witness {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const secure = protocol === 'smtps:';
  const timeout = timeoutSeconds * 1000;
  const transport = createTransport({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isThisMachine(hostname),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    kind: 'mail',
    to: to.slice(to.lastIndexOf('@') + 1).toLowerCase(),
    send: async (note) => {
      const { response, messageId } = await transport.sendMail({ from, to, ...contentOf(note) });
      return `${messageId} ${response}`;
    },
  };
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '127.0.0.1' || host === '[::1]';
}

function contentOf({ sequence, note }: NoteToSend) {
  const sealed = readNote(note)?.sealed;
  const text = [
    `This is the note of seal ${sequence} of the ledger${sealed === undefined ? '' : ` of ${sealed.shop}, made ${sealed.at}`}.`,
    'Please keep this mail and do not change it. With it, any later change of the ledger before that time can be shown.',
    '',
    note,
  ].join('\n');
  return {
    subject: `Ledger note ${sequence}${sealed === undefined ? '' : ` of ${sealed.shop}, ${sealed.at.slice(0, 10)}`}`,
    text,
    attachments: [{ filename: fileOfNote(sequence), content: note, contentType: 'text/plain; charset=utf-8' }],
    // So that mail programs send no out-of-office answer.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}
