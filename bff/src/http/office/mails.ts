import { Hono } from 'hono';
import { isNotice, mailRequest } from '../../../contract/mails.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { reopenMail, settleMail } from '../../mail/outbox.ts';
import type { World } from '../../server/world.ts';
import { answerProblem, type Problem } from '../problem.ts';
import { body } from '../validate.ts';
import { type AdminGuard, type AdminVariables, checked } from './guard.ts';

export function adminMails({ sql, log }: Pick<World, 'sql' | 'log'>, guard: AdminGuard) {
  return new Hono<AdminVariables>()
    .post(
      '/mails/send',
      guard.may(
        'retryWork',
        checked(body(mailRequest), async (c, session) => {
          const mail = c.req.valid('json');
          const isOpen = await repeatWhileAway(() => reopenMail(sql, mail));
          if (!isOpen) return answerProblem(c, noSuchMail);
          log.info({ ...mail, by: session.username, requestId: c.get('requestId') }, 'a mail is sent again');
          return c.body(null, 204);
        }),
      ),
    )
    .post(
      '/mails/drop',
      guard.may(
        'retryWork',
        checked(body(mailRequest), async (c, session) => {
          const mail = c.req.valid('json');
          if (isNotice(mail.kind) && session.role !== 'owner') return answerProblem(c, ownersOnly);
          const isDropped = await repeatWhileAway(() => settleMail(sql, mail, { state: 'dropped' }));
          if (!isDropped) return answerProblem(c, noSuchMail);
          log.info({ ...mail, by: session.username, requestId: c.get('requestId') }, 'a mail was given up');
          return c.body(null, 204);
        }),
      ),
    );
}

const ownersOnly: Problem = {
  status: 403,
  code: 'NotPermitted',
  message: 'Only owners can give up mails about money and accounts.',
};

const noSuchMail: Problem = {
  status: 404,
  code: 'NoSuchMail',
  message: 'This mail does not wait any more. Please load the page again.',
};
