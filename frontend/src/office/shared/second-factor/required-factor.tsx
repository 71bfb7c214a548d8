import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { WovenStrip } from '../../../shared/ui/woven-strip.tsx';
import { usePageTitle } from '../../../shared/use-page-title.ts';
import { sessionQuery } from '../session/current-session.tsx';
import login from '../session/login.module.css';
import { logOut } from '../session/session-calls.ts';
import { Loaded } from '../ui/loaded.tsx';
import { AddFactor } from './add-factor.tsx';
import { factorsQuery } from './factor-calls.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { enrolTexts, factorTexts } from './texts.ts';

type RequiredFactorProps = { readonly isMissing: boolean; readonly children: ReactNode };

/** The back office opens only after a required factor was added. */
export function RequiredFactor({ isMissing, children }: RequiredFactorProps) {
  // The codes stay on screen, although the session may learn meanwhile that nothing is missing.
  const [codes, setCodes] = useState<readonly string[]>();
  const queryClient = useQueryClient();
  if (!isMissing && codes === undefined) return children;
  const reload = () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  return (
    <Enrolment>
      {codes === undefined ? (
        <FirstFactor onAdded={(made) => (made === null ? reload() : setCodes(made))} />
      ) : (
        <RecoveryCodes
          codes={codes}
          onDone={() => {
            setCodes(undefined);
            reload();
          }}
        />
      )}
    </Enrolment>
  );
}

function Enrolment({ children }: { readonly children: ReactNode }) {
  usePageTitle(enrolTexts.heading);
  return (
    <>
      <WovenStrip />
      <main className={login.screen}>
        <div className={login.card}>
          <div>
            <h1>{enrolTexts.heading}</h1>
            <p>{enrolTexts.why}</p>
          </div>
          {children}
          <div>
            <Button onClick={() => void logOut()}>{enrolTexts.leave}</Button>
          </div>
        </div>
      </main>
    </>
  );
}

function FirstFactor({ onAdded }: { readonly onAdded: (codes: readonly string[] | null) => void }) {
  const query = useQuery(factorsQuery);
  return (
    <Loaded query={query} loading={factorTexts.loading} failed={factorTexts.loadFailed}>
      {(own) => <AddFactor own={own} onAdded={(_, codes) => onAdded(codes)} />}
    </Loaded>
  );
}
