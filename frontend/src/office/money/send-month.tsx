import { type Program, programs } from '@kilim/bff/contract/month-mails';
import { formatMonth } from '@kilim/domain/format-day';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Alert, Button, Radio } from 'antd';
import { useState } from 'react';
import { usePageData } from '../../shared/page-data.ts';
import { showToast } from '../../shared/toast/toast-store.ts';
import { monthsFrom } from '../shared/accounting/day-range.ts';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import { DialogButtons } from '../shared/ui/dialog-buttons.tsx';
import { SelectField } from '../shared/ui/field.tsx';
import { timeText } from '../shared/ui/format.ts';
import { Loaded } from '../shared/ui/loaded.tsx';
import styles from './money.module.css';
import { type MonthMail, monthMailsQuery, sendMonth } from './money-calls.ts';
import { sendTexts as texts } from './texts.ts';

export function SendMonth({ today }: { readonly today: string }) {
  const query = useQuery(monthMailsQuery);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card title={texts.heading} note={texts.note}>
      <Loaded query={query} loading={texts.loading} failed={texts.failed}>
        {({ to, mails }) => (
          <div className={cards.stack}>
            {to === null ? (
              <p>{texts.nobody}</p>
            ) : (
              <div>
                <Button type="primary" onClick={() => setIsOpen(true)}>
                  {texts.open}
                </Button>
              </div>
            )}
            <SentMonths mails={mails} />
            <ul className={styles.links}>
              <li>
                <Link to="/admin/accounting">{texts.accounting}</Link>
              </li>
              <li>
                <Link to="/admin/reports">{texts.reports}</Link>
              </li>
              <li>
                <Link to="/admin/books">{texts.books}</Link>
              </li>
            </ul>
            {isOpen && to !== null && (
              <SendDialog to={to} today={today} last={mails[0]?.program} onClose={() => setIsOpen(false)} />
            )}
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function SentMonths({ mails }: { readonly mails: readonly MonthMail[] }) {
  const { timeZone } = usePageData().config.business;
  if (mails.length === 0) return null;
  return (
    <ul aria-label={texts.sentList}>
      {mails.slice(0, 3).map(({ month, program, state, at }) => (
        <li key={`${month} ${program} ${at}`} className={cards.soft}>
          {texts.states[state](formatMonth(month), texts.programs[program], timeText(at, timeZone))}
        </li>
      ))}
    </ul>
  );
}

const offeredMonths = 12;

/** That are over, the newest first. */
function monthsBefore(today: string): readonly string[] {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))];
  return Array.from({ length: offeredMonths }, (_, back) =>
    monthsFrom(year, month - 1 - back, 1).from.slice(0, 'yyyy-mm'.length),
  );
}

type SendDialogProps = {
  readonly to: string;
  readonly today: string;
  /** Of the last mail. */
  readonly last: Program | undefined;
  readonly onClose: () => void;
};

function SendDialog({ to, today, last = 'quickbooks', onClose }: SendDialogProps) {
  const queryClient = useQueryClient();
  const months = monthsBefore(today);
  const [month, setMonth] = useState(months[0] ?? '');
  const [program, setProgram] = useState<Program>(last);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const send = async () => {
    setBusy(true);
    const outcome = await sendMonth(month, program);
    setBusy(false);
    if (outcome.kind === 'failed') return setProblem(outcome.message || texts.notSent);
    if (outcome.kind !== 'done') return;
    void queryClient.invalidateQueries({ queryKey: monthMailsQuery.queryKey });
    showToast(texts.done(formatMonth(month), to));
    onClose();
  };
  return (
    <Dialog title={texts.open} onClose={busy ? undefined : onClose}>
      <div className={cards.stack}>
        {problem !== undefined && <Alert type="error" role="alert" showIcon title={problem} />}
        <p>{texts.contents(to)}</p>
        <SelectField
          label={texts.month}
          value={month}
          options={months.map((each) => [each, formatMonth(each)] as const)}
          onChoose={setMonth}
        />
        <Radio.Group
          aria-label={texts.program}
          value={program}
          options={programs.map((value) => ({ value, label: texts.programs[value] }))}
          onChange={({ target }) => setProgram(target.value === 'xero' ? 'xero' : 'quickbooks')}
        />
        <DialogButtons busy={busy} onCancel={onClose} onClick={() => void send()}>
          {busy ? texts.sending : texts.send(formatMonth(month))}
        </DialogButtons>
      </div>
    </Dialog>
  );
}
