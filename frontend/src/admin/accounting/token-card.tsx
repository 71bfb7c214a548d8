import type { ExportToken } from '@kilim/bff/contract/exports';
import { useQuery } from '@tanstack/react-query';
import { Alert, Button } from 'antd';
import { type FormEvent, useState } from 'react';
import { usePageData } from '../../shared/page-data.ts';
import { showToast } from '../../shared/toast/toast-store.ts';
import { usePersonName } from '../people/people-calls.ts';
import { usePasswordGate } from '../session/password-gate.tsx';
import { Badge } from '../ui/badge.tsx';
import cards from '../ui/card.module.css';
import { Card } from '../ui/card.tsx';
import { TextField } from '../ui/field.tsx';
import { timeText } from '../ui/format.ts';
import { Loaded } from '../ui/loaded.tsx';
import styles from './accounting.module.css';
import { createToken, revokeToken, toastOf, tokensQuery } from './accounting-calls.ts';
import { passwordTitle, tokenTexts } from './texts.ts';

/** Tokens with which scripts fetch exports. */
export function TokenCard() {
  const query = useQuery({ ...tokensQuery, refetchOnMount: 'always' });
  const revoke = async ({ id }: ExportToken) => {
    if (await revokeToken(id)) void query.refetch();
    else showToast({ title: tokenTexts.revokeFailed, variant: 'destructive' });
  };
  return (
    <Card title={tokenTexts.heading} note={tokenTexts.note}>
      <NewToken onCreated={() => void query.refetch()} />
      <Loaded query={query} loading={tokenTexts.loading} failed={tokenTexts.loadFailed}>
        {(tokens) =>
          tokens.length === 0 ? (
            <p>{tokenTexts.none}</p>
          ) : (
            <ul className={styles.list} aria-label={tokenTexts.list}>
              {tokens.map((token) => (
                <Token key={token.id} token={token} onRevoke={() => void revoke(token)} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

type TokenProps = { readonly token: ExportToken; readonly onRevoke: () => void };

function Token({ token, onRevoke }: TokenProps) {
  const { timeZone } = usePageData().config.business;
  const nameOf = usePersonName();
  const { name, createdAt, createdBy, usedAt, revokedAt } = token;
  return (
    <li className={cards.row}>
      <div>
        <p>
          <strong>{name}</strong> {revokedAt !== null && <Badge tone="other">{tokenTexts.revoked}</Badge>}
        </p>
        <p className={cards.soft}>
          {tokenTexts.made(timeText(createdAt, timeZone), nameOf(createdBy))},{' '}
          {usedAt === null ? tokenTexts.neverUsed : tokenTexts.used(timeText(usedAt, timeZone))}
        </p>
      </div>
      {revokedAt === null && (
        <Button danger aria-label={tokenTexts.revokeOf(name)} onClick={onRevoke}>
          {tokenTexts.revoke}
        </Button>
      )}
    </li>
  );
}

function NewToken({ onCreated }: { readonly onCreated: () => void }) {
  const { busy, attempt, prompt } = usePasswordGate<{ readonly token: string }>(passwordTitle);
  const [name, setName] = useState('');
  const [token, setToken] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    attempt({
      call: () => createToken(name),
      onDone: (created) => {
        setToken(created.token);
        setName('');
        onCreated();
      },
      onFailed: toastOf(tokenTexts.failed),
    });
  };
  return (
    <>
      <form className={styles.row} onSubmit={submit} noValidate>
        <TextField
          label={tokenTexts.name}
          hint={tokenTexts.nameHint}
          value={name}
          maxLength={100}
          autoComplete="off"
          onText={setName}
        />
        <Button htmlType="submit" type="primary" loading={busy}>
          {tokenTexts.create}
        </Button>
      </form>
      {token !== undefined && <ShownOnce token={token} />}
      {prompt}
    </>
  );
}

function ShownOnce({ token }: { readonly token: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(token);
      showToast({ title: tokenTexts.copied });
    } catch {
      showToast({ title: tokenTexts.copyFailed, variant: 'destructive' });
    }
  };
  return (
    <Alert
      type="success"
      role="status"
      showIcon
      title={tokenTexts.created}
      description={
        <>
          <p>
            <code className={styles.code}>{token}</code>
          </p>
          <p>{tokenTexts.how}</p>
        </>
      }
      action={<Button onClick={() => void copy()}>{tokenTexts.copy}</Button>}
    />
  );
}
