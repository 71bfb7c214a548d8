import type { Books } from '@kilim/bff/contract/books';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Alert, Button } from 'antd';
import { useState } from 'react';
import { usePageData } from '../../shared/page-data.ts';
import { showToast } from '../../shared/toast/toast-store.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { usePersonName } from '../people/people-calls.ts';
import { usePasswordGate } from '../session/password-gate.tsx';
import { Badge } from '../ui/badge.tsx';
import cards from '../ui/card.module.css';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DayFilter } from '../ui/filters.tsx';
import { timeText } from '../ui/format.ts';
import { Loaded } from '../ui/loaded.tsx';
import styles from './accounting.module.css';
import { booksQuery, closePeriod, contentsKey, toastOf } from './accounting-calls.ts';
import { ChartForm } from './chart-form.tsx';
import { fullDayText, presetsOn } from './day-range.ts';
import { chartTexts, closingTexts, passwordTitle } from './texts.ts';

/** Closed periods, closing another one, and the names of accounts. */
export function ClosingCard() {
  const query = useQuery({ ...booksQuery, refetchOnMount: 'always' });
  const { data } = query;
  return (
    <>
      <Card title={closingTexts.heading} note={closingTexts.note}>
        <Loaded query={query} loading={closingTexts.loading} failed={closingTexts.loadFailed}>
          {(books) => (
            <>
              <Closings books={books} />
              <CloseForm key={books.closings[0]?.through ?? ''} books={books} />
            </>
          )}
        </Loaded>
      </Card>
      {data !== undefined && (
        <Card title={chartTexts.heading} note={chartTexts.note}>
          <ChartForm key={data.version} books={data} />
        </Card>
      )}
    </>
  );
}

function Closings({ books }: { readonly books: Books }) {
  const nameOf = usePersonName();
  const { timeZone } = usePageData().config.business;
  return (
    <>
      {!books.signs && <Alert type="warning" showIcon title={closingTexts.noKey} />}
      {books.closings.length === 0 ? (
        <p>{closingTexts.none}</p>
      ) : (
        <ul className={styles.list} aria-label={closingTexts.list}>
          {books.closings.map(({ through, closedAt, closedBy, checkpoint }) => (
            <li key={through}>
              <strong>{closingTexts.through(fullDayText(through))}</strong>,{' '}
              {closingTexts.closedBy(timeText(closedAt, timeZone), nameOf(closedBy))}{' '}
              <Badge tone={checkpoint === null ? 'pending' : 'completed'}>
                {checkpoint === null ? closingTexts.unsigned : closingTexts.signed(checkpoint)}
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Offers the end of last month, unless it is closed already. */
function CloseForm({ books }: { readonly books: Books }) {
  const queryClient = useQueryClient();
  const { busy, attempt, prompt } = usePasswordGate<Books>(passwordTitle);
  const closed = books.closings[0]?.through;
  const usual = presetsOn(books.lastClosable).lastMonth.to;
  const [through, setThrough] = useState(closed !== undefined && usual <= closed ? books.lastClosable : usual);
  const [asking, setAsking] = useState(false);
  const close = () =>
    attempt({
      call: () => closePeriod(through),
      onDone: (answer) => {
        setAsking(false);
        queryClient.setQueryData(booksQuery.queryKey, answer);
        void queryClient.invalidateQueries({ queryKey: contentsKey });
        showToast({ title: closingTexts.closedNow(fullDayText(through)) });
      },
      onFailed: toastOf(closingTexts.failed),
    });
  const isPossible = through <= books.lastClosable && (closed === undefined || through > closed);
  return (
    <div className={styles.row}>
      <DayFilter label={closingTexts.last} value={through} onChoose={(day) => day !== undefined && setThrough(day)} />
      <Button disabled={!isPossible} onClick={() => setAsking(true)}>
        {closingTexts.close(fullDayText(through))}
      </Button>
      {asking && (
        <Dialog title={closingTexts.confirm(fullDayText(through))} onClose={busy ? undefined : () => setAsking(false)}>
          <p>{closingTexts.warning}</p>
          <div className={classNames(cards.buttons, styles.actions)}>
            <Button disabled={busy} onClick={() => setAsking(false)}>
              {closingTexts.cancel}
            </Button>
            <Button type="primary" danger loading={busy} onClick={close}>
              {closingTexts.close(fullDayText(through))}
            </Button>
          </div>
        </Dialog>
      )}
      {prompt}
    </div>
  );
}
