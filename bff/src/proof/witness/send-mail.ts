import { openSmtp, type SmtpPlace } from '../../core/runtime/smtp.ts';
import { readNote } from '../checkpoint-note.ts';
import { fileOfNote, type NoteToSend, type Witness } from './witness.ts';

export type MailPlace = SmtpPlace & { readonly to: string };

/** For people and for `verify --against`. */
export function mailWitness({ smtpUrl, from, to }: MailPlace): Witness {
  const smtp = openSmtp({ smtpUrl, from });
  return {
    kind: 'mail',
    to: to.slice(to.lastIndexOf('@') + 1).toLowerCase(),
    send: async (note) => {
      const { response, messageId } = await smtp.send({ to, ...contentOf(note) });
      return `${messageId} ${response}`;
    },
  };
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
