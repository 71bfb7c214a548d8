import type { Books } from '@kilim/bff/contract/books';
import { type Account, type AccountName, chartLimits } from '@kilim/domain/accounting/chart';
import { useQueryClient } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { useState } from 'react';
import { showToast } from '../../shared/toast/toast-store.ts';
import { usePasswordGate } from '../session/password-gate.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { TextField } from '../ui/field.tsx';
import styles from './accounting.module.css';
import { booksQuery, nameAccounts, toastOf } from './accounting-calls.ts';
import { chartTexts, passwordTitle } from './texts.ts';

type NamedAccount = [Account, AccountName];

/** The name of each account in QuickBooks and Xero. */
export function ChartForm({ books }: { readonly books: Books }) {
  const queryClient = useQueryClient();
  const { busy, attempt, prompt } = usePasswordGate<Books>(passwordTitle);
  const [accounts, setAccounts] = useState(books.accounts);
  const [taxRate, setTaxRate] = useState(books.taxRate);
  const namesColumn = (part: keyof AccountName, title: string, labelOf: (account: string) => string) => ({
    title,
    render: ([key, names]: NamedAccount) => (
      <Input
        aria-label={labelOf(chartTexts.accounts[key])}
        value={names[part]}
        maxLength={part === 'name' ? chartLimits.longestName : chartLimits.longestCode}
        onChange={({ target }) => setAccounts({ ...accounts, [key]: { ...names, [part]: target.value } })}
      />
    ),
  });
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
      <summary className={styles.summary}>{chartTexts.show}</summary>
      <DataTable
        label={chartTexts.heading}
        rows={Object.entries(accounts) as NamedAccount[]}
        rowKey={([key]) => key}
        columns={[
          { title: chartTexts.account, render: ([key]) => chartTexts.accounts[key] },
          namesColumn('name', chartTexts.name, chartTexts.nameOf),
          namesColumn('code', chartTexts.code, chartTexts.codeOf),
        ]}
      />
      <div className={styles.row}>
        <TextField
          label={chartTexts.taxRate}
          hint={chartTexts.taxRateHint}
          value={taxRate}
          maxLength={chartLimits.longestTaxRate}
          onText={setTaxRate}
        />
        <Button type="primary" loading={busy} onClick={save}>
          {chartTexts.save}
        </Button>
      </div>
      {prompt}
    </details>
  );
}
