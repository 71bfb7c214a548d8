import { peopleTexts } from '@kilim/domain/admin/people';
import type { Result } from '@kilim/domain/result';
import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { type Person as PersonAnswer, passwordLink, people, personNames } from '../../../contract/people.ts';
import { invitationRequest, roleRequest } from '../../../contract/people-requests.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { type IssuedLink, listNames, listPeople, type Person } from '../../sign-in/people.ts';
import type { ProvenSession } from '../../sign-in/sessions.ts';
import {
  changeRole,
  disablePerson,
  enablePerson,
  invitePerson,
  issueLink,
  type PeopleRejection,
  type PeopleWorld,
} from '../../use-case/manage-people.ts';
import type { Commanded } from '../../use-case/record-admin-events.ts';
import { answerProblem, type Problem } from '../problem.ts';
import { body } from '../validate.ts';
import { type AdminGuard, type AdminVariables, checked } from './guard.ts';
import type { SecurityOf } from './security-of.ts';

/** The people of the back office: owners invite them, change roles, and disable accounts. */
export function adminPeople(world: PeopleWorld, guard: AdminGuard, securityOf: SecurityOf) {
  const { sql } = world;
  const commandedBy = commanderOf(securityOf);
  return new Hono<AdminVariables>()
    .get(
      '/people',
      guard.may('readPeople', async (c) => {
        const listed = await repeatWhileAway(() => listPeople(sql));
        return c.json(z.encode(people, listed.map(personAnswer)));
      }),
    )
    .get(
      '/people/names',
      guard.may('readNames', async (c) =>
        c.json(z.encode(personNames, [...(await repeatWhileAway(() => listNames(sql)))])),
      ),
    )
    .post(
      '/people',
      guard.may(
        'managePeople',
        checked(body(invitationRequest), async (c, session) => {
          const asked = c.req.valid('json');
          return answerLink(c, asked.username, await invitePerson(world, asked, commandedBy(c, session)));
        }),
      ),
    )
    .post(
      '/people/:username/link',
      guard.may<'/people/:username/link'>('managePeople', async (c, session) => {
        const username = c.req.param('username');
        return answerLink(c, username, await issueLink(world, username, commandedBy(c, session)));
      }),
    )
    .post(
      '/people/:username/role',
      guard.may(
        'managePeople',
        checked(body(roleRequest), async (c, session) => {
          const asked = { username: c.req.param('username') ?? '', role: c.req.valid('json').role };
          return answerDone(c, await changeRole(world, asked, commandedBy(c, session)));
        }),
      ),
    )
    .post(
      '/people/:username/disable',
      guard.may<'/people/:username/disable'>('managePeople', async (c, session) =>
        answerDone(c, await disablePerson(world, c.req.param('username'), commandedBy(c, session))),
      ),
    )
    .post(
      '/people/:username/enable',
      guard.may<'/people/:username/enable'>('managePeople', async (c, session) =>
        answerDone(c, await enablePerson(world, c.req.param('username'), commandedBy(c, session))),
      ),
    );
}

function commanderOf(securityOf: SecurityOf) {
  return (c: Context<AdminVariables>, { username }: ProvenSession): Commanded => ({
    actor: `admin:${username}`,
    requestId: c.get('requestId'),
    security: securityOf(c),
  });
}

function answerLink(c: Context, username: string, made: Result<IssuedLink, PeopleRejection>): Response {
  if (!made.ok) return answerProblem(c, problems[made.rejection.code]);
  return c.json(z.encode(passwordLink, { username, ...made.value }), 201);
}

function answerDone(c: Context, done: Result<undefined, PeopleRejection>): Response {
  return done.ok ? c.body(null, 204) : answerProblem(c, problems[done.rejection.code]);
}

const problems = {
  NameTaken: {
    status: 409,
    code: 'NameTaken',
    message: peopleTexts.nameTaken,
    fields: { username: peopleTexts.nameTaken },
  },
  NoSuchAccount: { status: 404, code: 'NotFound', message: peopleTexts.noSuchAccount },
  AccountDisabled: { status: 409, code: 'AccountDisabled', message: peopleTexts.disabled },
  LastOwner: { status: 409, code: 'LastOwner', message: peopleTexts.lastOwner },
} satisfies Record<PeopleRejection['code'], Problem>;

function personAnswer({ createdAt, seenAt, linkPurpose, linkExpiresAt, ...person }: Person): PersonAnswer {
  const link =
    linkPurpose === null || linkExpiresAt === null
      ? null
      : { purpose: linkPurpose, expiresAt: linkExpiresAt.toISOString() };
  return { ...person, createdAt: createdAt.toISOString(), seenAt: seenAt?.toISOString() ?? null, link };
}
