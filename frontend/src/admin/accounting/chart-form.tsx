import type { Books } from '@kilim/bff/contract/books';
import type { Account, AccountName } from '@kilim/domain/accounting/chart';
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

/** The name of each account in QuickBooks and Xero. */
export function ChartForm({ books }: { readonly books: Books }) {
  const queryClient = useQueryClient();
  const { busy, attempt, prompt } = usePasswordGate<Books>(passwordTitle);
  const [accounts, setAccounts] = useState(books.accounts);
  const [taxRate, setTaxRate] = useState(books.taxRate);
  const change = (key: Account, names: AccountName) => setAccounts({ ...accounts, [key]: names });
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
        rows={Object.entries(accounts) as [Account, AccountName][]}
        rowKey={([key]) => key}
        columns={[
          { title: chartTexts.account, render: ([key]) => chartTexts.accounts[key] },
          {
            title: chartTexts.name,
            render: ([key, names]) => (
              <Input
                aria-label={chartTexts.nameOf(chartTexts.accounts[key])}
                value={names.name}
                maxLength={100}
                onChange={({ target }) => change(key, { ...names, name: target.value })}
              />
            ),
          },
          {
            title: chartTexts.code,
            render: ([key, names]) => (
              <Input
                aria-label={chartTexts.codeOf(chartTexts.accounts[key])}
                value={names.code}
                maxLength={10}
                onChange={({ target }) => change(key, { ...names, code: target.value })}
              />
            ),
          },
        ]}
      />
      <div className={styles.row}>
        <TextField
          label={chartTexts.taxRate}
          hint={chartTexts.taxRateHint}
          value={taxRate}
          maxLength={50}
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
