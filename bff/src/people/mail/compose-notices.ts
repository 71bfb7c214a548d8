import { addressed, type Compose, type ComposingWorld, type Letters } from '../../core/mail/compose.ts';
import type { Letter } from '../../core/mail/letter.ts';
import { readTold, readToldEntry } from '../queries/read-told.ts';
import { emailsOf } from '../sign-in/emails.ts';
import { listNames } from '../sign-in/people.ts';
import { accessNotice, accountNotice, type NoticeFacts, ownerNotice } from './owner-notice.ts';

async function writeOwnerNotice(world: ComposingWorld, about: string): Promise<Letter | undefined> {
  const facts = await noticeFacts(world);
  const entry = await readToldEntry(world.sql, about);
  if (entry !== undefined) return accessNotice(entry, facts);
  const told = await readTold(world.sql, about);
  return told === undefined ? undefined : ownerNotice(told, facts);
}

/** The shop's own mailbox is told already. */
const composeAccountNotice: Compose = async (world, { about }) => {
  const { sql, recipients, settings } = world;
  const entry = await readToldEntry(sql, about);
  if (entry === undefined) return undefined;
  const emails = await emailsOf(sql, entry.username);
  const to = emails.map(({ email }) => email).filter((email) => email !== recipients.shop);
  if (to.length === 0) return undefined;
  return { to, letter: accountNotice(entry, settings().business.name, await noticeFacts(world)) };
};

async function noticeFacts({ sql, settings, timeZone, urls }: ComposingWorld): Promise<NoticeFacts> {
  const names = new Map((await listNames(sql)).map(({ username, displayName }) => [username, displayName]));
  const format = new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'long', timeStyle: 'short' });
  return {
    above: settings().notices.above,
    nameOf: (actor) => {
      const username = actor.replace(/^admin:/, '');
      return username === 'operator' ? 'A command on the server' : (names.get(username) ?? username);
    },
    timeText: (at) => format.format(at),
    officeUrl: urls.office,
  };
}

export const notices: Letters = {
  'owner-notice': async (world, { about }) => addressed(world.recipients.shop, await writeOwnerNotice(world, about)),
  'account-notice': composeAccountNotice,
};
