import type { PasswordLink } from '@kilim/bff/contract/people';
import type { Role } from '@kilim/domain/people/permissions';
import { Alert, Button } from 'antd';
import { type FormEvent, useState } from 'react';
import type { Failed } from '../shared/api/outcome.ts';
import { usePasswordGate } from '../shared/session/password-gate.tsx';
import { officeTexts } from '../shared/texts.ts';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { TextField } from '../shared/ui/field.tsx';
import styles from './people.module.css';
import { invite } from './people-calls.ts';
import { RoleField } from './role-field.tsx';
import { ShownLink } from './shown-link.tsx';
import { inviteTexts } from './texts.ts';

export function InviteCard({ onInvited }: { readonly onInvited: () => void }) {
  const { busy, attempt, prompt } = usePasswordGate();
  const [username, setUsername] = useState('');
  const [displayName, setDisplayName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('clerk');
  const [link, setLink] = useState<PasswordLink>();
  const [failed, setFailed] = useState<Failed>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    attempt({
      call: () => invite({ username, displayName, role, ...(email.trim() !== '' && { email }) }),
      onDone: (made) => {
        setLink(made);
        setFailed(undefined);
        setUsername('');
        setDisplayName('');
        setEmail('');
        onInvited();
      },
      onFailed: setFailed,
    });
  };
  const { fields = {} } = failed ?? {};
  const isGeneral = failed !== undefined && Object.keys(fields).length === 0;
  return (
    <Card title={inviteTexts.heading} note={inviteTexts.note}>
      <form className={cards.form} onSubmit={submit} noValidate>
        {isGeneral && <Alert type="error" role="alert" showIcon title={failed.message || officeTexts.failed} />}
        <TextField
          label={inviteTexts.username}
          hint={inviteTexts.usernameHint}
          error={fields['username']}
          value={username}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onText={setUsername}
        />
        <TextField
          label={inviteTexts.displayName}
          hint={inviteTexts.displayNameHint}
          error={fields['displayName']}
          value={displayName}
          autoComplete="off"
          onText={setDisplayName}
        />
        <TextField
          label={inviteTexts.email}
          hint={inviteTexts.emailHint}
          error={fields['email']}
          value={email}
          type="email"
          autoComplete="off"
          onText={setEmail}
        />
        <RoleField role={role} onRole={setRole} />
        <div>
          <Button htmlType="submit" type="primary" loading={busy}>
            {inviteTexts.invite}
          </Button>
        </div>
      </form>
      {link !== undefined && (
        <div className={styles.shown}>
          <ShownLink link={link} />
        </div>
      )}
      {prompt}
    </Card>
  );
}
