import { usernamePattern } from '@kilim/domain/people/password';
import { peopleTexts, reservedUsernames } from '@kilim/domain/people/people';
import { isRole, type Role, roles } from '@kilim/domain/people/permissions';
import type { Result } from '@kilim/domain/result';
import type { Sql } from '../../core/database/database.ts';
import type { HandleWorld } from '../../core/ledger/handle.ts';
import { listSecurityLog } from '../queries/list-security-log.ts';
import { listPeople } from '../sign-in/people.ts';
import {
  changeRole,
  disablePerson,
  enablePerson,
  invitePerson,
  type PeopleRejection,
} from '../use-case/manage-people.ts';
import { byOperator } from '../use-case/record-admin-events.ts';

/** @returns the text to print. @throws Error with a sentence for the operator. */
export type PeopleCommand = (world: HandleWorld) => Promise<string>;

/**
 * Undefined when the name belongs to another command.
 * @throws Error when an argument is missing or malformed.
 */
export function peopleCommand(name: string | undefined, args: readonly string[]): PeopleCommand | undefined {
  const [username = '', role = ''] = args;
  switch (name) {
    case 'list':
      return list;
    case 'security-log':
      return async ({ sql }) => await securityLogOf(sql, username === '' ? undefined : username.toLowerCase());
    case 'invite':
      return invite(username.toLowerCase(), parseRole(role), args.slice(2).join(' ').trim());
    case 'disable':
      return async (world) => {
        done(await disablePerson(world, username, byOperator));
        return `${username} is disabled.`;
      };
    case 'enable':
      return async (world) => {
        done(await enablePerson(world, username, byOperator));
        return `${username} is enabled.`;
      };
    case 'set-role': {
      const wanted = parseRole(role);
      return async (world) => {
        done(await changeRole(world, { username, role: wanted }, byOperator));
        return `${username} has the role ${wanted}.`;
      };
    }
    default:
      return undefined;
  }
}

async function list({ sql }: HandleWorld): Promise<string> {
  const people = await listPeople(sql);
  return people
    .map(({ username, displayName, role, state, mustChangePassword }) => {
      const password = mustChangePassword ? ', temporary password' : '';
      return `${username}  ${displayName}  ${role}, ${state}${password}`;
    })
    .join('\n');
}

const mostEntries = 200;

async function securityLogOf(sql: Sql, username: string | undefined): Promise<string> {
  const asked = { page: 1, pageSize: mostEntries, kind: undefined, username };
  const { rows } = await listSecurityLog(sql, asked);
  const lines = rows.map(({ id, at, person, actor, sentence, browser, network }) => {
    const by = actor === null ? '' : `, by ${actor.username}`;
    const from = [browser, network].filter((part) => part !== null).join(', ');
    return `${id}  ${at.toISOString()}  ${person?.username ?? '-'}  ${sentence}${by}${from === '' ? '' : `  (${from})`}`;
  });
  return lines.length === 0 ? 'There are no entries.' : lines.join('\n');
}

function invite(username: string, role: Role, name: string): PeopleCommand {
  if (!usernamePattern.test(username) || reservedUsernames.includes(username)) {
    throw new Error(`${username === '' ? 'Nothing' : username} is not a possible sign-in name.`);
  }
  return async (world) => {
    const displayName = name === '' ? username : name;
    const { token } = done(await invitePerson(world, { username, displayName, role }, byOperator));
    const link = `${backOfficeUrl()}/admin/invitation#${token}`;
    return `${username} is invited. This link is shown only now, works once, and expires in 24 hours:\n${link}`;
  };
}

function backOfficeUrl(): string {
  return (process.env['OFFICE_URL'] || process.env['PUBLIC_URL'] || '<address of the back office>').replace(/\/$/, '');
}

function parseRole(text: string): Role {
  if (isRole(text)) return text;
  throw new Error(`${text === '' ? 'Nothing' : text} is not a role: give ${roles.join(', ')}.`);
}

const sentences = {
  NameTaken: peopleTexts.nameTaken,
  NoSuchAccount: peopleTexts.noSuchAccount,
  AccountDisabled: peopleTexts.disabled,
  LastOwner: peopleTexts.lastOwner,
} satisfies Record<PeopleRejection['code'], string>;

function done<Value>(result: Result<Value, PeopleRejection>): Value {
  if (result.ok) return result.value;
  throw new Error(sentences[result.rejection.code]);
}
