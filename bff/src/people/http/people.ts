import { peopleTexts } from '@kilim/domain/people/people';
import type { Result } from '@kilim/domain/result';
import type { Context } from 'hono';
import * as z from 'zod/mini';
import { type Person as PersonAnswer, passwordLink } from '../../../contract/people.ts';
import { repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import { describePages } from '../../core/http/describe-pages.ts';
import { answerProblem, type Problem } from '../../core/http/problem.ts';
import type { ProvenSession, SecurityOf } from '../../core/http/proven.ts';
import type { RequestEnv } from '../../core/http/request-id.ts';
import type { Serve } from '../../core/http/serve.ts';
import type { HandleWorld } from '../../core/ledger/handle.ts';
import { listSecurityLog } from '../queries/list-security-log.ts';
import { type IssuedLink, listNames, listPeople, type Person } from '../sign-in/people.ts';
import {
  changeRole,
  disablePerson,
  enablePerson,
  invitePerson,
  issueLink,
  type PeopleRejection,
} from '../use-case/manage-people.ts';
import type { Commanded } from '../use-case/record-admin-events.ts';

export function servePeople(serve: Serve, world: HandleWorld, securityOf: SecurityOf): void {
  const { sql } = world;
  const commandedBy = commanderOf(securityOf);
  serve('GET /api/admin/people', async (_, { answer }) => {
    const listed = await repeatWhileAway(() => listPeople(sql));
    return answer(200, listed.map(personAnswer));
  });
  serve('GET /api/admin/people/names', async (_, { answer }) =>
    answer(200, [...(await repeatWhileAway(() => listNames(sql)))]),
  );
  serve('POST /api/admin/people', async (c, { by: session, body: asked }) => {
    return answerLink(c, asked.username, await invitePerson(world, asked, commandedBy(c, session)));
  });
  serve('POST /api/admin/people/:username/link', async (c, { by: session, params }) => {
    const username = params.username;
    return answerLink(c, username, await issueLink(world, username, commandedBy(c, session)));
  });
  serve('POST /api/admin/people/:username/role', async (c, { by: session, params, body }) => {
    const asked = { username: params.username, role: body.role };
    return answerDone(c, await changeRole(world, asked, commandedBy(c, session)));
  });
  serve('POST /api/admin/people/:username/disable', async (c, { by: session, params }) =>
    answerDone(c, await disablePerson(world, params.username, commandedBy(c, session))),
  );
  serve('POST /api/admin/people/:username/enable', async (c, { by: session, params }) =>
    answerDone(c, await enablePerson(world, params.username, commandedBy(c, session))),
  );
  serve('GET /api/admin/security-log', async (c, { query, answer }) => {
    const { page, pageSize, kind, person: username } = query;
    const listed = await repeatWhileAway(() => listSecurityLog(sql, { page, pageSize, kind, username }));
    describePages(c, listed, { page, pageSize });
    return answer(
      200,
      listed.rows.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
    );
  });
}

export function commanderOf(securityOf: SecurityOf) {
  return (c: Context<RequestEnv>, { username }: ProvenSession): Commanded => ({
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
