import type { Books } from '@kilim/bff/contract/books';
import { accountFormats } from '@kilim/bff/contract/exports';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { showToast } from '../../shared/toast/toast-store.ts';
import { fullDayText, presetsOn } from '../shared/accounting/day-range.ts';
import { downloadAddress } from '../shared/accounting/export-calls.ts';
import { usePasswordGate } from '../shared/session/password-gate.tsx';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import { DialogButtons } from '../shared/ui/dialog-buttons.tsx';
import { DayFilter } from '../shared/ui/filters.tsx';
import { Loaded } from '../shared/ui/loaded.tsx';
import styles from './accounting.module.css';
import { booksQuery, checklistQuery, closePeriod, contentsKey, toastOf } from './accounting-calls.ts';
import { ChartForm } from './chart-form.tsx';
import { ClosingChecklist } from './checklist.tsx';
import { closingTexts } from './closing-texts.ts';
import { ClosingsList } from './closings-list.tsx';
import { chartTexts, passwordTitle } from './texts.ts';

const certifyingMilliseconds = 2000;

function isUncertified({ certified, reopened }: Books['closings'][number]): boolean {
  return !certified && reopened === null;
}

export function ClosingCard() {
  const query = useQuery({
    ...booksQuery,
    // A certificate takes seconds in the background.
    refetchInterval: ({ state }) =>
      state.data?.closings.some(isUncertified) === true ? certifyingMilliseconds : false,
  });
  const { data } = query;
  return (
    <>
      <Card title={closingTexts.heading} note={closingTexts.note}>
        <Loaded query={query} loading={closingTexts.loading} failed={closingTexts.loadFailed}>
          {(books) => (
            <>
              <ClosingsList books={books} />
              <CloseForm key={books.closedThrough ?? ''} books={books} />
            </>
          )}
        </Loaded>
      </Card>
      {data !== undefined && (
        <Card title={chartTexts.heading} note={chartTexts.note} actions={<AccountLists today={data.today} />}>
          <ChartForm key={data.version} books={data} />
        </Card>
      )}
    </>
  );
}

/** With the names as they are saved. */
function AccountLists({ today }: { readonly today: string }) {
  return (
    <div className={cards.tools}>
      {accountFormats.map((format) => (
        <Button key={format} href={downloadAddress(format, { from: today, to: today })} download>
          {chartTexts.lists[format]}
        </Button>
      ))}
    </div>
  );
}

function whyNot({ lastClosable, closedThrough }: Books, through: string): string {
  return closedThrough !== null && through <= closedThrough
    ? closingTexts.allClosed(fullDayText(closedThrough))
    : closingTexts.notOver(fullDayText(lastClosable));
}

/** Offers the end of the last full month. */
function CloseForm({ books }: { readonly books: Books }) {
  const queryClient = useQueryClient();
  const { busy, attempt, prompt } = usePasswordGate(passwordTitle);
  const closed = books.closedThrough;
  const [through, setThrough] = useState(books.proposed ?? presetsOn(books.today).lastMonth.to);
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
  const isPossible = through <= books.lastClosable && (closed === null || through > closed);
  const { data: checked } = useQuery({ ...checklistQuery(through), enabled: isPossible });
  const open = checked?.checks.filter(({ state }) => state === 'open').length ?? 0;
  return (
    <>
      <div className={styles.row}>
        <DayFilter label={closingTexts.last} value={through} onChoose={(day) => day !== undefined && setThrough(day)} />
        <Button disabled={!isPossible} onClick={() => setAsking(true)}>
          {closingTexts.close(fullDayText(through))}
        </Button>
        {asking && (
          <Dialog
            title={closingTexts.confirm(fullDayText(through))}
            onClose={busy ? undefined : () => setAsking(false)}
          >
            <p>{closingTexts.warning}</p>
            {open > 0 && <p>{closingTexts.withOpenPoints(open)}</p>}
            <DialogButtons
              className={styles.actions}
              busy={busy}
              onCancel={() => setAsking(false)}
              danger
              onClick={close}
            >
              {closingTexts.close(fullDayText(through))}
            </DialogButtons>
          </Dialog>
        )}
        {prompt}
      </div>
      {isPossible && <ClosingChecklist through={through} />}
      {!isPossible && <p>{whyNot(books, through)}</p>}
    </>
  );
}
