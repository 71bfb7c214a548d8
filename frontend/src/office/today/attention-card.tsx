import { CheckCircleOutlined } from '@ant-design/icons';
import type { AttentionItem } from '@kilim/bff/contract/attention';
import { formatDollars } from '@kilim/domain/money';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from 'antd';
import { useState } from 'react';
import { orderNumberText } from '../../shared/order-number.ts';
import { usePageData } from '../../shared/page-data.ts';
import { showToast } from '../../shared/toast/toast-store.ts';
import { moneyKey } from '../shared/api/query-keys.ts';
import { MailActions } from '../shared/mails/mail-actions.tsx';
import { useMay } from '../shared/session/current-session.tsx';
import { usePasswordGate } from '../shared/session/password-gate.tsx';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { timeText } from '../shared/ui/format.ts';
import { Loaded } from '../shared/ui/loaded.tsx';
import { LoadedAt } from '../shared/ui/loaded-at.tsx';
import styles from './attention.module.css';
import { attentionQuery, retryWork } from './attention-calls.ts';
import { OwedDialog } from './owed-dialog.tsx';
import { attentionTexts } from './texts.ts';

export function AttentionCard() {
  const query = useQuery(attentionQuery);
  return (
    <Card title={attentionTexts.heading} actions={<LoadedAt query={query} />}>
      <Loaded query={query} loading={attentionTexts.loading} failed={attentionTexts.loadFailed}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={styles.nothing}>
              <CheckCircleOutlined aria-hidden="true" /> {attentionTexts.nothing}
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

function Item({ item }: { readonly item: AttentionItem }) {
  const { timeZone } = usePageData().config.business;
  const { kind, amount, since, dueAt, detail } = item;
  const { title, advice } = attentionTexts.kinds[kind];
  return (
    <>
      <div>
        <h3 className={styles.title}>{title(amount === null ? '' : formatDollars(amount))}</h3>
        <p>{[detail, advice].filter(Boolean).join(' ')}</p>
        {dueAt !== null && <p className={styles.due}>{attentionTexts.due(timeText(dueAt, timeZone))}</p>}
        {since !== null && <p className={cards.soft}>{attentionTexts.since(timeText(since, timeZone))}</p>}
      </div>
      <div className={styles.actions}>
        <Settle item={item} />
        {(kind === 'work-parked' || kind === 'refund-unproven') && <Retry id={item.id} />}
        {kind === 'mail-undelivered' && <MailActions id={item.id} />}
        <Where item={item} />
      </div>
    </>
  );
}

const withoutPage: ReadonlySet<AttentionItem['kind']> = new Set([
  'mail-undelivered',
  'limits-unproven',
  'job-late',
  'clock-off',
  'list-incomplete',
]);

/** Mails about a day or a closing, and work of the server, have no page. */
function Where({ item: { kind, orderId } }: { readonly item: AttentionItem }) {
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
    <Link to="/admin/books" className={styles.open}>
      {attentionTexts.openBooks}
    </Link>
  );
}

/** The customer gets nothing any more. */
function Settle({ item }: { readonly item: AttentionItem }) {
  const [isOpen, setIsOpen] = useState(false);
  const mayExplain = useMay('explainDifferences');
  if (item.kind !== 'refund-failed' || !mayExplain) return null;
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{attentionTexts.settle}</Button>
      {isOpen && <OwedDialog item={item} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function Retry({ id }: { readonly id: string }) {
  const queryClient = useQueryClient();
  const mayRetry = useMay('retryWork');
  const { busy, attempt, prompt } = usePasswordGate<{ readonly status: 'settled' | 'unknown' }>(attentionTexts.retry);
  if (!mayRetry) return null;
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
