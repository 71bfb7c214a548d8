import type { AttentionItem } from '@kilim/bff/contract/attention';
import { type MailKind, mailKinds, mailRules } from '@kilim/bff/contract/mails';
import { Button } from 'antd';
import { useMay, useSession } from '../session/current-session.tsx';
import { mailTexts } from './texts.ts';
import { useMailAction } from './use-mail-action.tsx';

/** For a mail that could not be delivered. */
export function MailActions({ id }: Pick<AttentionItem, 'id'>) {
  const maySend = useMay('retryWork');
  const { role } = useSession();
  const { busy, run } = useMailAction();
  const mail = mailOf(id);
  if (!maySend || mail === undefined) return null;
  return (
    <>
      <Button disabled={busy} onClick={() => void run('send', mail)}>
        {mailTexts.send}
      </Button>
      {(role === 'owner' || mailRules[mail.kind].isNotice !== true) && (
        <Button disabled={busy} onClick={() => void run('drop', mail)}>
          {mailTexts.drop}
        </Button>
      )}
    </>
  );
}

/** The id of an item is `<kind>:<about>`. */
function mailOf(id: string): { readonly kind: MailKind; readonly about: string } | undefined {
  const kind = mailKinds.find((known) => id.startsWith(`${known}:`));
  return kind === undefined ? undefined : { kind, about: id.slice(kind.length + 1) };
}
