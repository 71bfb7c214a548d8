import { mailRules, type OrderMail } from '@kilim/bff/contract/mails';
import type { OrderDetail } from '@kilim/bff/contract/orders';
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

export function OrderMails({ detail: { order, mails } }: { readonly detail: OrderDetail }) {
  const { timeZone } = usePageData().config.business;
  const maySend = useMay('retryWork');
  const { busy, run } = useMailAction();
  // The mails of a difference go to the contact of its order, which is not known here.
  const hasCustomer = order.customerInfo !== null || order.supplementOf !== null;
  if (mails.length === 0) return null;
  return (
    <Card title={mailTexts.title}>
      <ul className={classNames(cards.list, styles.others)} aria-label={mailTexts.title}>
        {mails.map((mail) => {
          const { kind, about, state, at, failure } = mail;
          const { name, to } = mailRules[kind];
          const isSettled = state === 'sent' || state === 'undelivered';
          return (
            <li key={`${kind} ${about}`}>
              <span>{name}</span>
              <Badge tone={tones[state]}>{mailTexts.states[state]}</Badge>
              <span className={cards.soft}>{timeText(at, timeZone)}</span>
              {maySend && isSettled && (hasCustomer || to !== 'customer') && (
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
