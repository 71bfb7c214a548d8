import { type LinkedAccount, linkedAccount, passwordChosen } from '@kilim/bff/contract/people';
import { weakPassword } from '@kilim/bff/contract/session';
import { peopleTexts as refusals } from '@kilim/domain/people/people';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { request } from '../../shared/api-client.ts';
import { call } from '../../shared/call.ts';
import { usePageData } from '../../shared/page-data.ts';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { messageOf } from '../shared/api/admin-request.ts';
import { sessionQuery } from '../shared/session/current-session.tsx';
import { PasswordProblem } from '../shared/session/password-problem.tsx';
import { logOut } from '../shared/session/session-calls.ts';
import { FrontPage } from '../shared/session/sign-in-page.tsx';
import { officeTexts } from '../shared/texts.ts';
import { Busy } from '../shared/ui/busy.tsx';
import cards from '../shared/ui/card.module.css';
import { TextField } from '../shared/ui/field.tsx';
import { invitationTexts, peopleTexts } from './texts.ts';

type Link =
  | { readonly kind: 'checking' }
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'found'; readonly account: LinkedAccount }
  | { readonly kind: 'done'; readonly username: string };

/** Needs no session. */
export function InvitationPage() {
  usePageTitle(invitationTexts.title);
  const { name } = usePageData().config.business;
  const [token] = useState(() => window.location.hash.slice(1));
  const [link, setLink] = useState<Link>({ kind: 'checking' });
  useEffect(() => {
    let isShown = true;
    const check = async () => {
      const answer = await request(call('POST /api/admin/password-link', { body: { token }, answer: linkedAccount }));
      if (!isShown) return;
      if (answer.ok) setLink({ kind: 'found', account: answer.value.body });
      else setLink({ kind: 'invalid', message: messageOf(answer.rejection, refusals.linkInvalid) });
    };
    void check();
    return () => {
      isShown = false;
    };
  }, [token]);
  return (
    <FrontPage>
      <p>{name}</p>
      <Content token={token} link={link} onDone={(username) => setLink({ kind: 'done', username })} />
    </FrontPage>
  );
}

type ContentProps = { readonly token: string; readonly link: Link; readonly onDone: (username: string) => void };

function Content({ token, link, onDone }: ContentProps): ReactNode {
  switch (link.kind) {
    case 'checking':
      return <Busy text={invitationTexts.loading} />;
    case 'invalid':
      return (
        <>
          <h1>{invitationTexts.invalid}</h1>
          <p role="alert">{link.message}</p>
          <ToSignIn />
        </>
      );
    case 'done':
      return (
        <>
          <h1>{invitationTexts.done}</h1>
          <p role="status">{invitationTexts.doneHint(link.username)}</p>
          <ToSignIn />
        </>
      );
    case 'found':
      return <ChoosePassword token={token} account={link.account} onChosen={() => onDone(link.account.username)} />;
  }
}

/** Ends the session of this browser first: it may be another person's, who would answer for what follows. */
function ToSignIn() {
  const other = useQuery(sessionQuery).data?.displayName;
  return (
    <>
      {other !== undefined && <p>{invitationTexts.otherPerson(other)}</p>}
      <Button type="primary" onClick={() => void logOut()}>
        {invitationTexts.signIn}
      </Button>
    </>
  );
}

type ChoosePasswordProps = {
  readonly token: string;
  readonly account: LinkedAccount;
  readonly onChosen: () => void;
};

function ChoosePassword({ token, account, onChosen }: ChoosePasswordProps) {
  const isNew = account.purpose === 'invitation';
  const [name, setName] = useState(account.displayName);
  const [password, setPassword] = useState('');
  const [confirm, setConfirm] = useState('');
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<Chosen>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const problem = problemOf(password, confirm);
    if (problem !== undefined) return setFailed({ kind: 'failed', message: problem, suggestions: [] });
    setBusy(true);
    const outcome = await choosePassword({ token, password, ...(isNew ? { displayName: name } : {}) });
    setBusy(false);
    setFailed(outcome);
    if (outcome.kind === 'chosen') onChosen();
  };
  return (
    <>
      <h1>{invitationTexts.welcome(account.displayName)}</h1>
      <p>
        {isNew ? invitationTexts.invited(officeTexts.roles[account.role].toLowerCase()) : invitationTexts.reset}{' '}
        {isNew && peopleTexts.roleHints[account.role]}
      </p>
      <form className={cards.stack} onSubmit={(event) => void submit(event)} noValidate>
        {failed?.kind === 'failed' && <PasswordProblem {...failed} />}
        <TextField
          label={invitationTexts.username}
          name="username"
          autoComplete="username"
          value={account.username}
          readOnly
          onText={() => undefined}
        />
        {isNew && (
          <TextField label={invitationTexts.name} autoComplete="name" maxLength={100} value={name} onText={setName} />
        )}
        <TextField
          label={invitationTexts.password}
          hint={invitationTexts.hint}
          type="password"
          autoComplete="new-password"
          value={password}
          onText={setPassword}
        />
        <TextField
          label={invitationTexts.confirm}
          type="password"
          autoComplete="new-password"
          value={confirm}
          onText={setConfirm}
        />
        <Button type="primary" htmlType="submit" loading={busy} block>
          {busy ? invitationTexts.choosing : invitationTexts.choose}
        </Button>
      </form>
    </>
  );
}

type Choice = { readonly token: string; readonly password: string; readonly displayName?: string };

type Chosen =
  | { readonly kind: 'chosen' }
  | { readonly kind: 'failed'; readonly message: string; readonly suggestions: readonly string[] };

async function choosePassword(choice: Choice): Promise<Chosen> {
  const answer = await request(call('POST /api/admin/password-link/use', { body: choice, answer: passwordChosen }));
  if (answer.ok) return { kind: 'chosen' };
  const failure = answer.rejection;
  const weak = weakPassword.safeParse(failure.kind === 'refused' ? failure.body : undefined);
  const fields = failure.kind === 'refused' ? Object.values(failure.fields) : [];
  const message = fields[0] ?? messageOf(failure, officeTexts.failed);
  return { kind: 'failed', message, suggestions: weak.success ? weak.data.suggestions : [] };
}

function problemOf(password: string, confirm: string): string | undefined {
  if (password === '' || confirm === '') return invitationTexts.missing;
  return password === confirm ? undefined : invitationTexts.mismatch;
}
