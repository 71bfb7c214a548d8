import { mailRules, type OrderMail } from '@kilim/bff/contract/mails';
import { Button } from 'antd';
import { usePageData } from '../../shared/page-data.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { mailTexts } from '../shared/mails/texts.ts';
import { useMailAction } from '../shared/mails/use-mail-action.tsx';
import { useMay } from '../shared/session/current-session.tsx';
import { Badge, type BadgeTone } from '../shared/ui/badge.tsx';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { timeText } from '../shared/ui/format.ts';
import styles from './orders.module.css';

const tones = {
  waiting: 'pending',
  sent: 'completed',
  undelivered: 'failed',
  dropped: 'other',
} satisfies Record<OrderMail['state'], BadgeTone>;

export function OrderMails({ mails }: { readonly mails: readonly OrderMail[] }) {
  const { timeZone } = usePageData().config.business;
  const maySend = useMay('retryWork');
  const { busy, run } = useMailAction();
  if (mails.length === 0) return null;
  return (
    <Card title={mailTexts.title}>
      <ul className={classNames(cards.list, styles.others)} aria-label={mailTexts.title}>
        {mails.map((mail) => {
          const { kind, about, state, at, failure } = mail;
          const name = mailRules[kind].name;
          return (
            <li key={`${kind} ${about}`}>
              <span>{name}</span>
              <Badge tone={tones[state]}>{mailTexts.states[state]}</Badge>
              <span className={cards.soft}>{timeText(at, timeZone)}</span>
              {maySend && (state === 'sent' || state === 'undelivered') && (
                <Button
                  size="small"
                  disabled={busy}
                  aria-label={mailTexts.sendOf(name)}
                  onClick={() => void run('send', mail)}
                >
                  {mailTexts.send}
                </Button>
              )}
              {failure !== null && state !== 'sent' && (
                <span className={styles.failure}>{mailTexts.failure(failure)}</span>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
