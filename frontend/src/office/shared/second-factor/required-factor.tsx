import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { BeforeOffice } from '../session/before-office.tsx';
import { sessionQuery } from '../session/current-session.tsx';
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
    <BeforeOffice {...enrolTexts}>
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
    </BeforeOffice>
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
