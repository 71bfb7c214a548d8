import type { OneTimeSecret, SecondFactors } from '@kilim/bff/contract/second-factor';
import { browserName } from '@kilim/domain/people/browser-name';
import { Alert, Button } from 'antd';
import { type FormEvent, useState } from 'react';
import type { Failed } from '../api/outcome.ts';
import { usePasswordGate } from '../session/password-gate.tsx';
import { officeTexts } from '../texts.ts';
import cards from '../ui/card.module.css';
import { TextField } from '../ui/field.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { addApp, addPasskey, type Codes, startApp } from './factor-calls.ts';
import { canUsePasskeys } from './passkeys.ts';
import styles from './second-factor.module.css';
import { factorTexts } from './texts.ts';

export type AddFactorProps = {
  readonly own: SecondFactors;
  /** @param codes come with the first factor. */
  readonly onAdded: (name: string, codes: Codes) => void;
};

export function AddFactor({ own, onAdded }: AddFactorProps) {
  const hasApp = own.factors.some(({ kind }) => kind === 'one-time-code');
  return (
    <div className={cards.stack}>
      <AddPasskey own={own} onAdded={onAdded} />
      {!hasApp &&
        (own.offersOneTimeCodes ? <AddApp onAdded={onAdded} /> : <p className={cards.soft}>{factorTexts.appsOff}</p>)}
    </div>
  );
}

function AddPasskey({ own, onAdded }: AddFactorProps) {
  const [name, setName] = useState(browserName(navigator.userAgent) ?? factorTexts.passkeyName);
  const [failed, setFailed] = useState<Failed>();
  const { busy, attempt, prompt } = usePasswordGate(factorTexts.password);
  const error = failed?.fields['name'];
  if (!canUsePasskeys()) return <NoPasskeys origin={own.passkeyOrigin} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setFailed(undefined);
    attempt({
      call: () => addPasskey(name),
      onDone: (codes) => onAdded(name, codes),
      onFailed: setFailed,
    });
  };
  return (
    <>
      <form className={cards.form} onSubmit={submit} noValidate>
        <p className={cards.soft}>{factorTexts.passkeyHint}</p>
        {failed !== undefined && error === undefined && (
          <Alert type="error" role="alert" showIcon title={failed.message || officeTexts.failed} />
        )}
        <TextField
          label={factorTexts.name}
          hint={factorTexts.nameHint}
          error={error}
          value={name}
          onText={setName}
          maxLength={100}
        />
        <div className={styles.actions}>
          <Button type="primary" htmlType="submit" loading={busy}>
            {busy ? factorTexts.waiting : factorTexts.addPasskey}
          </Button>
        </div>
      </form>
      {prompt}
    </>
  );
}

/** Why passkeys do not work here, and where they do. */
function NoPasskeys({ origin }: { readonly origin: string | null }) {
  if (origin === window.location.origin) return <p className={cards.soft}>{factorTexts.passkeysUnsupported}</p>;
  return (
    <p className={cards.soft}>
      {factorTexts.passkeysNeedHostName}{' '}
      {origin !== null && (
        <>
          {factorTexts.passkeysAt} <a href={`${origin}/admin`}>{`${origin}/admin`}</a>.
        </>
      )}
    </p>
  );
}

/** First the secret for the app, then its first code. */
function AddApp({ onAdded }: Pick<AddFactorProps, 'onAdded'>) {
  const [secret, setSecret] = useState<OneTimeSecret>();
  const [code, setCode] = useState('');
  const [failed, setFailed] = useState<Failed>();
  const { busy, attempt, prompt } = usePasswordGate(factorTexts.password);
  const error = failed?.fields['code'];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setFailed(undefined);
    if (secret === undefined) return attempt({ call: startApp, onDone: setSecret, onFailed: setFailed });
    attempt({
      call: () => addApp(factorTexts.appName, code),
      onDone: (codes) => onAdded(factorTexts.appName, codes),
      onFailed: setFailed,
    });
  };
  return (
    <>
      <form className={cards.form} onSubmit={submit} noValidate>
        <p className={cards.soft}>{secret === undefined ? factorTexts.appHint : factorTexts.scan}</p>
        {failed !== undefined && error === undefined && (
          <Alert type="error" role="alert" showIcon title={failed.message || officeTexts.failed} />
        )}
        {secret !== undefined && (
          <>
            <QrCode text={secret.address} label={factorTexts.qrCode} className={styles.qr} />
            <p className={styles.key}>
              {factorTexts.key}: <code>{secret.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
            </p>
            <TextField
              label={factorTexts.firstCode}
              error={error}
              inputMode="numeric"
              autoComplete="one-time-code"
              autoFocus
              value={code}
              onText={setCode}
            />
          </>
        )}
        <div className={styles.actions}>
          <Button type={secret === undefined ? 'default' : 'primary'} htmlType="submit" loading={busy}>
            {secret === undefined ? factorTexts.addApp : factorTexts.confirmApp}
          </Button>
          {secret !== undefined && <Button onClick={() => setSecret(undefined)}>{officeTexts.cancel}</Button>}
        </div>
      </form>
      {prompt}
    </>
  );
}
