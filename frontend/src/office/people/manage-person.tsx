import type { PasswordLink, Person } from '@kilim/bff/contract/people';
import { Alert, Button } from 'antd';
import { useState } from 'react';
import { showToast } from '../../shared/toast/toast-store.ts';
import type { Outcome } from '../shared/api/outcome.ts';
import { useSession } from '../shared/session/current-session.tsx';
import { usePasswordGate } from '../shared/session/password-gate.tsx';
import { officeTexts } from '../shared/texts.ts';
import cards from '../shared/ui/card.module.css';
import { Dialog } from '../shared/ui/dialog.tsx';
import styles from './people.module.css';
import { disable, enable, makeLink, resetSecondFactor, setRole } from './people-calls.ts';
import { RoleField } from './role-field.tsx';
import { ShownLink } from './shown-link.tsx';
import { manageTexts } from './texts.ts';

type ManagePersonProps = {
  readonly person: Person;
  readonly onChanged: () => void;
  readonly onClose: () => void;
};

export function ManagePerson({ person, onChanged, onClose }: ManagePersonProps) {
  const { username, displayName, state } = person;
  const { busy, attempt, prompt } = usePasswordGate();
  const isOwn = useSession().username === username;
  const isConfirmed = (question: (name?: string) => string) =>
    window.confirm(question(isOwn ? undefined : displayName));
  const [role, chooseRole] = useState(person.role);
  const [problem, setProblem] = useState<string>();
  const [link, setLink] = useState<PasswordLink>();
  const run = <Value,>(call: () => Promise<Outcome<Value>>, onDone: (value: Value) => void) => {
    setProblem(undefined);
    attempt({
      call,
      onDone: (value) => {
        onDone(value);
        onChanged();
      },
      onFailed: ({ message }) => setProblem(message || officeTexts.failed),
    });
  };
  const closeWith = (title: string) => () => {
    showToast({ title });
    onClose();
  };
  return (
    <>
      <Dialog title={manageTexts.title(displayName)} onClose={busy ? undefined : onClose}>
        <div className={styles.parts}>
          {problem !== undefined && <Alert type="error" role="alert" showIcon title={problem} />}
          {link !== undefined && <ShownLink link={link} />}
          <div className={cards.form}>
            <RoleField role={role} onRole={chooseRole} />
            <p className={cards.soft}>{manageTexts.roleNote}</p>
            <div>
              <Button
                disabled={busy || role === person.role}
                onClick={() =>
                  (!isOwn || window.confirm(manageTexts.confirmOwnRole(officeTexts.roles[role]))) &&
                  run(() => setRole(username, role), closeWith(manageTexts.roleSaved))
                }
              >
                {manageTexts.saveRole}
              </Button>
            </div>
          </div>
          {state !== 'disabled' && (
            <div>
              <Button disabled={busy} onClick={() => run(() => makeLink(username), setLink)}>
                {manageTexts.link[state]}
              </Button>
            </div>
          )}
          {state === 'active' && (
            <div className={cards.stack}>
              <p className={cards.soft}>{manageTexts.resetFactorNote}</p>
              <div>
                <Button
                  disabled={busy}
                  onClick={() =>
                    isConfirmed(manageTexts.confirmReset) &&
                    run(() => resetSecondFactor(username), closeWith(manageTexts.factorReset))
                  }
                >
                  {manageTexts.resetFactor}
                </Button>
              </div>
            </div>
          )}
          {state === 'disabled' ? (
            <div>
              <Button disabled={busy} onClick={() => run(() => enable(username), closeWith(manageTexts.enabled))}>
                {manageTexts.enable}
              </Button>
            </div>
          ) : (
            <div className={cards.stack}>
              <p className={cards.soft}>{manageTexts.disableNote}</p>
              <div>
                <Button
                  danger
                  disabled={busy}
                  onClick={() =>
                    isConfirmed(manageTexts.confirmDisabling) &&
                    run(() => disable(username), closeWith(manageTexts.disabled))
                  }
                >
                  {manageTexts.disable}
                </Button>
              </div>
            </div>
          )}
          <div className={cards.buttons}>
            <Button disabled={busy} onClick={onClose}>
              {manageTexts.close}
            </Button>
          </div>
        </div>
      </Dialog>
      {prompt}
    </>
  );
}
