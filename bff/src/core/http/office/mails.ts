import { mailRules } from '../../../../contract/mails.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { reopenMail, settleMail } from '../../mail/outbox.ts';
import type { World } from '../../use-case/world.ts';
import { answerProblem, type Problem } from '../problem.ts';
import type { Serve } from '../serve.ts';

export function serveMails(serve: Serve, { sql, log }: Pick<World, 'sql' | 'log'>): void {
  serve('POST /api/admin/mails/send', async (c, { by: session, body: mail, answer }) => {
    const isOpen = await repeatWhileAway(() => reopenMail(sql, mail));
    if (!isOpen) return answerProblem(c, noSuchMail);
    log.info({ ...mail, by: session.username, requestId: c.get('requestId') }, 'a mail is sent again');
    return answer(204);
  });
  serve('POST /api/admin/mails/drop', async (c, { by: session, body: mail, answer }) => {
    if (mailRules[mail.kind].isNotice === true && session.role !== 'owner') return answerProblem(c, ownersOnly);
    const isDropped = await repeatWhileAway(() => settleMail(sql, mail, { state: 'dropped' }));
    if (!isDropped) return answerProblem(c, noSuchMail);
    log.info({ ...mail, by: session.username, requestId: c.get('requestId') }, 'a mail was given up');
    return answer(204);
  });
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
