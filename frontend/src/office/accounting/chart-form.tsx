import { chartRequest } from '@kilim/bff/contract/accounting-requests';
import type { Books } from '@kilim/bff/contract/books';
import { type Account, type AccountName, chartLimits } from '@kilim/domain/accounting/chart';
import { useQueryClient } from '@tanstack/react-query';
import { Alert, Button, Input } from 'antd';
import { useId, useState } from 'react';
import { showToast } from '../../shared/toast/toast-store.ts';
import { FieldError } from '../../shared/ui/text-field.tsx';
import { accountTexts } from '../shared/accounting/texts.ts';
import { problemsOf } from '../shared/api/outcome.ts';
import { usePasswordGate } from '../shared/session/password-gate.tsx';
import { DataTable } from '../shared/ui/data-table.tsx';
import { TextField } from '../shared/ui/field.tsx';
import styles from './accounting.module.css';
import { booksQuery, nameAccounts, toastOf } from './accounting-calls.ts';
import { chartTexts, passwordTitle } from './texts.ts';

type NamedAccount = [Account, AccountName];

/** The accounts' names in QuickBooks and Xero. */
export function ChartForm({ books }: { readonly books: Books }) {
  const queryClient = useQueryClient();
  const { busy, attempt, prompt } = usePasswordGate(passwordTitle);
  const [accounts, setAccounts] = useState(books.accounts);
  const [taxRate, setTaxRate] = useState(books.taxRate);
  const namesColumn = (part: keyof AccountName, title: string, labelOf: (account: string) => string) => ({
    title,
    render: ([key, names]: NamedAccount) => (
      <NameInput
        label={labelOf(accountTexts[key])}
        value={names[part]}
        longest={part === 'name' ? chartLimits.longestName : chartLimits.longestCode}
        problem={problems[`accounts.${key}.${part}`]}
        onText={(text) => setAccounts({ ...accounts, [key]: { ...names, [part]: text } })}
      />
    ),
  });
  const problems = problemsOf(chartRequest, { version: books.version, accounts, taxRate });
  const count = Object.keys(problems).length;
  const save = () =>
    attempt({
      call: () => nameAccounts({ version: books.version, accounts, taxRate }),
      onDone: (answer) => {
        queryClient.setQueryData(booksQuery.queryKey, answer);
        showToast({ title: chartTexts.saved });
      },
      onFailed: toastOf(chartTexts.failed),
    });
  return (
    <details>
      <summary className={styles.summary}>{count === 0 ? chartTexts.show : chartTexts.showProblems(count)}</summary>
      <DataTable
        label={chartTexts.heading}
        rows={Object.entries(accounts) as NamedAccount[]}
        rowKey={([key]) => key}
        columns={[
          { title: chartTexts.account, render: ([key]) => accountTexts[key] },
          namesColumn('name', chartTexts.name, chartTexts.nameOf),
          namesColumn('code', chartTexts.code, chartTexts.codeOf),
        ]}
      />
      <div className={styles.row}>
        <TextField
          label={chartTexts.taxRate}
          hint={chartTexts.taxRateHint}
          error={problems['taxRate']}
          value={taxRate}
          maxLength={chartLimits.longestTaxRate}
          onText={setTaxRate}
        />
        <Button type="primary" loading={busy} disabled={count > 0} onClick={save}>
          {chartTexts.save}
        </Button>
      </div>
      <div role="status">{count > 0 && <Alert type="warning" showIcon title={chartTexts.problems(count)} />}</div>
      {prompt}
    </details>
  );
}

type NameInputProps = {
  readonly label: string;
  readonly value: string;
  readonly longest: number;
  readonly problem: string | undefined;
  readonly onText: (text: string) => void;
};

function NameInput({ label, value, longest, problem, onText }: NameInputProps) {
  const problemId = useId();
  return (
    <div className={styles.name}>
      <Input
        aria-label={label}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : problemId}
        value={value}
        maxLength={longest}
        onChange={({ target }) => onText(target.value)}
      />
      {problem !== undefined && <FieldError id={problemId} message={problem} />}
    </div>
  );
}
