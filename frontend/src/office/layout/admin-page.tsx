import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Queries } from '../../shared/queries.tsx';
import { TemporaryPassword } from '../password/temporary-password.tsx';
import { RequiredFactor } from '../shared/second-factor/required-factor.tsx';
import { WithSession } from '../shared/session/current-session.tsx';
import { LoginOverlay, LoginScreen } from '../shared/session/login.tsx';
import { useSessionState } from '../shared/session/use-session-state.ts';
import { AdminLook } from '../shared/ui/admin-look.tsx';
import { Busy } from '../shared/ui/busy.tsx';
import { Dashboard } from './dashboard.tsx';
import { layoutTexts } from './texts.ts';
import { useFirstVersion } from './use-changes.ts';

export function AdminPage() {
  return (
    <Queries>
      <AdminLook>
        <Gate />
      </AdminLook>
    </Queries>
  );
}

/** An invitation's page needs no session. */
function Gate() {
  const isInvitation = useLocation({ select: ({ pathname }) => /^\/admin\/invitation\/?$/.test(pathname) });
  return isInvitation ? <Outlet /> : <SessionGate />;
}

/** When the session ends, the sign-in covers the page, which stays as it is. */
function SessionGate() {
  const session = useSessionState();
  const queryClient = useQueryClient();
  const before = useRef(session);
  useEffect(() => {
    if (session === 'signed-in' && before.current === 'expired') void queryClient.invalidateQueries();
    before.current = session;
  }, [session, queryClient]);
  if (session === 'signed-out') return <LoginScreen />;
  return (
    <>
      <Office />
      {session === 'expired' && <LoginOverlay />}
    </>
  );
}

function Office() {
  // Asked for together with the session, which takes no extra time.
  const isVersionKnown = useFirstVersion();
  return (
    <WithSession>
      {({ mustChangePassword, mustAddSecondFactor }) =>
        mustChangePassword ? (
          <TemporaryPassword />
        ) : (
          <RequiredFactor isMissing={mustAddSecondFactor}>
            {isVersionKnown ? (
              <Dashboard>
                <Outlet />
              </Dashboard>
            ) : (
              <Busy text={layoutTexts.loading} />
            )}
          </RequiredFactor>
        )
      }
    </WithSession>
  );
}
