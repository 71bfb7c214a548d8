import type { Checklist } from '@kilim/bff/contract/certificate';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { CheckButton, useChecking } from '../shared/accounting/check-now.tsx';
import { fullDayText } from '../shared/accounting/day-range.ts';
import { checkTexts } from '../shared/accounting/texts.ts';
import { Badge, type BadgeTone } from '../shared/ui/badge.tsx';
import { DataTable } from '../shared/ui/data-table.tsx';
import { Loaded } from '../shared/ui/loaded.tsx';
import styles from './accounting.module.css';
import { checklistKey, checklistQuery } from './accounting-calls.ts';
import { checklistTexts, pointTexts } from './closing-texts.ts';

type Check = Checklist['checks'][number];

const tones = { done: 'completed', open: 'pending', unknown: 'other' } satisfies Record<Check['state'], BadgeTone>;

/** Where the cases are listed. Only the person who runs the server sets up a place for notes. */
const pages = {
  doubt: '/admin/orders',
  compared: '/admin/books',
  differences: '/admin/books',
  fees: '/admin/orders',
  clearing: '/admin/books',
  sealed: '/admin/books',
  verified: '/admin/books',
  witness: undefined,
} as const satisfies Record<Check['point'], string | undefined>;

/** What to know before closing the days. */
export function ClosingChecklist({ through }: { readonly through: string }) {
  const query = useQuery(checklistQuery(through));
  return (
    <>
      <h3>{checklistTexts.heading(fullDayText(through))}</h3>
      <Loaded query={query} loading={checklistTexts.loading} failed={checklistTexts.loadFailed}>
        {({ checks }) => (
          <DataTable<Check>
            label={checklistTexts.label}
            rows={checks}
            rowKey={({ point }) => point}
            columns={[
              {
                title: checklistTexts.point,
                render: ({ point, sentence, state }) => <Point point={point} sentence={sentence} state={state} />,
              },
              {
                title: checklistTexts.state,
                render: ({ state }) => <Badge tone={tones[state]}>{checklistTexts.states[state]}</Badge>,
              },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

function Point({ point, sentence, state }: Pick<Check, 'point' | 'sentence' | 'state'>) {
  const page = pages[point];
  return (
    <>
      <strong>{pointTexts[point]}</strong>
      <p className={styles.point}>
        {sentence}{' '}
        {state === 'open' && page !== undefined && (
          <Link to={page} aria-label={checklistTexts.show(pointTexts[point])}>
            {checklistTexts.go}
          </Link>
        )}
      </p>
      {state === 'open' && point === 'verified' && <CheckHere />}
    </>
  );
}

function CheckHere() {
  const queryClient = useQueryClient();
  const checking = useChecking();
  const { isUnderWay, hasFailed } = checking;
  useEffect(() => {
    // The end of a check changes the list.
    if (!isUnderWay) void queryClient.invalidateQueries({ queryKey: checklistKey });
  }, [isUnderWay, queryClient]);
  return (
    <>
      <CheckButton {...checking} />
      {hasFailed && <p role="alert">{checkTexts.failed}</p>}
    </>
  );
}
