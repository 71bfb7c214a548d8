import { CheckCircleOutlined } from '@ant-design/icons';
import type { AttentionItem } from '@kilim/bff/contract/attention';
import { formatDollars } from '@kilim/domain/money';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { orderNumberText } from '../../shared/order-number.ts';
import { usePageData } from '../../shared/page-data.ts';
import { showToast } from '../../shared/toast/toast-store.ts';
import { moneyKey } from '../shared/api/query-keys.ts';
import { MailActions } from '../shared/mails/mail-actions.tsx';
import { useMay } from '../shared/session/current-session.tsx';
import { usePasswordGate } from '../shared/session/password-gate.tsx';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { OpenButton } from '../shared/ui/dialog-buttons.tsx';
import { shortTimeText, timeText } from '../shared/ui/format.ts';
import { Loaded } from '../shared/ui/loaded.tsx';
import { LoadedAt } from '../shared/ui/loaded-at.tsx';
import styles from './needs-you.module.css';
import { OwedDialog } from './owed-dialog.tsx';
import { attentionTexts } from './texts.ts';
import { attentionQuery, retryWork } from './today-calls.ts';

export function NeedsYou({ isFirstDay }: { readonly isFirstDay: boolean }) {
  const query = useQuery(attentionQuery);
  return (
    <Card title={attentionTexts.heading} actions={<LoadedAt query={query} />}>
      <Loaded query={query} loading={attentionTexts.loading} failed={attentionTexts.loadFailed}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={styles.done}>
              <CheckCircleOutlined aria-hidden="true" />{' '}
              {isFirstDay ? attentionTexts.nothingElse : attentionTexts.nothing}
            </p>
          ) : (
            <ul className={styles.items} aria-label={attentionTexts.heading}>
              {items.map((item) => (
                <li key={`${item.kind} ${item.id}`} className={styles.item}>
                  <Item item={item} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

type ItemProps = { readonly item: AttentionItem };

function Item({ item }: ItemProps) {
  const { timeZone } = usePageData().config.business;
  const { kind, amount, orderId, since, dueAt, detail } = item;
  const { title, advice } = attentionTexts.kinds[kind];
  const Action = useAction(kind);
  return (
    <>
      <div>
        <h3 className={styles.title}>{title(amount === null ? '' : formatDollars(amount))}</h3>
        <p>
          {[since && attentionTexts.since(shortTimeText(since, timeZone)), detail, advice].filter(Boolean).join(' ')}{' '}
          {Action !== undefined && orderId !== null && (
            <Link to="/admin/orders/$orderId" params={{ orderId }}>
              {attentionTexts.order(orderNumberText(orderId))}
            </Link>
          )}
        </p>
        {dueAt !== null && <p className={styles.due}>{attentionTexts.due(timeText(dueAt, timeZone))}</p>}
      </div>
      <div className={cards.tools}>{Action === undefined ? <Where item={item} /> : <Action item={item} />}</div>
    </>
  );
}

/** What the person can do here. Undefined: what is to do stands on another page. */
function useAction(kind: AttentionItem['kind']): ((props: ItemProps) => ReactNode) | undefined {
  const [mayExplain, mayRetry] = [useMay('explainDifferences'), useMay('retryWork')];
  if (kind === 'refund-failed') return mayExplain ? Settle : undefined;
  if (kind === 'mail-undelivered') return mayRetry ? Mail : undefined;
  return mayRetry && (kind === 'work-parked' || kind === 'refund-unproven') ? Retry : undefined;
}

function Mail({ item }: ItemProps) {
  return <MailActions id={item.id} />;
}

const withoutPage: ReadonlySet<AttentionItem['kind']> = new Set([
  'mail-undelivered',
  'limits-unproven',
  'job-late',
  'clock-off',
  'list-incomplete',
]);

/** Mails about a day or a closing, and work of the server, have no page. */
function Where({ item: { kind, orderId } }: ItemProps) {
  if (orderId !== null) {
    return (
      <Link
        to="/admin/orders/$orderId"
        params={{ orderId }}
        className={styles.open}
        aria-label={attentionTexts.openOrderOf(orderNumberText(orderId))}
      >
        {attentionTexts.openOrder}
      </Link>
    );
  }
  if (withoutPage.has(kind)) return null;
  return (
    <Link to={kind === 'payout-returned' ? '/admin/payouts' : '/admin/books'} className={styles.open}>
      {kind === 'payout-returned' ? attentionTexts.openPayouts : attentionTexts.openBooks}
    </Link>
  );
}

/** The customer gets nothing any more. */
function Settle({ item }: ItemProps) {
  return <OpenButton text={attentionTexts.settle}>{(close) => <OwedDialog item={item} onClose={close} />}</OpenButton>;
}

function Retry({ item: { id } }: ItemProps) {
  const queryClient = useQueryClient();
  const { busy, attempt, prompt } = usePasswordGate(attentionTexts.retry);
  const retry = () =>
    attempt({
      call: () => retryWork(id),
      onDone: ({ status }) => {
        showToast(status === 'settled' ? attentionTexts.retried : attentionTexts.stillUnknown);
        void queryClient.invalidateQueries({ queryKey: moneyKey });
      },
      onFailed: ({ message }) =>
        showToast({ title: attentionTexts.retryFailed, description: message, variant: 'destructive' }),
    });
  return (
    <>
      <Button loading={busy} onClick={retry}>
        {busy ? attentionTexts.retrying : attentionTexts.retry}
      </Button>
      {prompt}
    </>
  );
}
