import type { Person } from '@kilim/bff/contract/people';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { usePageData } from '../../shared/page-data.ts';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { useSession } from '../shared/session/current-session.tsx';
import { officeTexts } from '../shared/texts.ts';
import { Badge, type BadgeTone } from '../shared/ui/badge.tsx';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { type Column, DataTable } from '../shared/ui/data-table.tsx';
import { timeText } from '../shared/ui/format.ts';
import { Loaded } from '../shared/ui/loaded.tsx';
import { InviteCard } from './invite-card.tsx';
import { ManagePerson } from './manage-person.tsx';
import styles from './people.module.css';
import { peopleQuery } from './people-calls.ts';
import { RefundLimitsCard } from './refund-limits-card.tsx';
import { peopleTexts } from './texts.ts';

export function PeoplePage() {
  usePageTitle(peopleTexts.title);
  const query = useQuery(peopleQuery);
  const queryClient = useQueryClient();
  const [managed, setManaged] = useState<string>();
  const person = query.data?.find(({ username }) => username === managed);
  // The prefix covers the names, too.
  const refresh = () => void queryClient.invalidateQueries({ queryKey: peopleQuery.queryKey });
  return (
    <div className={cards.stack}>
      <Card title={peopleTexts.heading} note={peopleTexts.note}>
        <Loaded query={query} loading={peopleTexts.loading} failed={peopleTexts.loadFailed}>
          {(people) => <PeopleTable people={people} onManage={setManaged} />}
        </Loaded>
      </Card>
      <InviteCard onInvited={refresh} />
      <RefundLimitsCard />
      {person !== undefined && (
        <ManagePerson key={person.username} person={person} onChanged={refresh} onClose={() => setManaged(undefined)} />
      )}
    </div>
  );
}

type PeopleTableProps = { readonly people: readonly Person[]; readonly onManage: (username: string) => void };

function PeopleTable({ people, onManage }: PeopleTableProps) {
  const { timeZone } = usePageData().config.business;
  const { username: own } = useSession();
  const columns: readonly Column<Person>[] = [
    { title: peopleTexts.person, render: (person) => <Name person={person} isOwn={person.username === own} /> },
    { title: peopleTexts.role, render: ({ role }) => officeTexts.roles[role] },
    { title: peopleTexts.state, render: (person) => <State person={person} timeZone={timeZone} /> },
    {
      title: peopleTexts.seen,
      render: ({ seenAt }) => (seenAt === null ? peopleTexts.notSignedIn : timeText(seenAt, timeZone)),
    },
    {
      title: peopleTexts.actions,
      render: ({ username, displayName }) => (
        <Button aria-label={peopleTexts.manageOf(displayName)} onClick={() => onManage(username)}>
          {peopleTexts.manage}
        </Button>
      ),
    },
  ];
  return (
    <DataTable
      label={peopleTexts.heading}
      columns={columns}
      rows={people}
      rowKey={({ username }) => username}
      withActions
    />
  );
}

function Name({ person, isOwn }: { readonly person: Person; readonly isOwn: boolean }) {
  return (
    <div className={styles.wrapping}>
      <div>
        {person.displayName} {isOwn && <Badge tone="completed">{peopleTexts.you}</Badge>}
      </div>
      <div className={cards.soft}>{person.username}</div>
    </div>
  );
}

const tones = { active: 'completed', invited: 'pending', disabled: 'failed' } satisfies Record<
  Person['state'],
  BadgeTone
>;

function State({ person, timeZone }: { readonly person: Person; readonly timeZone: string }) {
  const { state, link, mustChangePassword } = person;
  return (
    <div className={styles.wrapping}>
      <div className={cards.tools}>
        <Badge tone={tones[state]}>{peopleTexts.states[state]}</Badge>
        {mustChangePassword && <Badge tone="other">{peopleTexts.temporaryPassword}</Badge>}
      </div>
      {link !== null && (
        <div className={cards.soft}>{peopleTexts.linkUntil(link.purpose, timeText(link.expiresAt, timeZone))}</div>
      )}
    </div>
  );
}
