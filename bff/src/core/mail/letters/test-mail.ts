import { type Letter, text } from '../letter.ts';

/** To the shop, when an owner asks for one. */
export function testMail(businessName: string, todayUrl: string): Letter {
  return {
    subject: `${businessName}: your mails arrive`,
    heading: 'Your mails arrive',
    parts: [
      text('You asked for this mail to try it. The mails about new orders come to this address, too.'),
      { kind: 'link', text: 'Go on with the first day', url: todayUrl },
    ],
  };
}
