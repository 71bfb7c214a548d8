import { day } from '../core/background/job.ts';
import type { Sql } from '../core/database/database.ts';
import { readLastSettings } from '../core/queries/saved-settings.ts';
import type { Room } from '../core/room.ts';
import { notices } from './mail/compose-notices.ts';
import { forgetOldSecurityEntries } from './sign-in/security-log.ts';

export { type DoorOptions, openDoor, type SecondFactorRules } from './http/open-door.ts';
export { ensureFirstAdministrator } from './sign-in/accounts.ts';
export { adoptAccounts } from './sign-in/adopt-accounts.ts';
export { stolenPasswordsAt } from './sign-in/stolen-passwords.ts';
export { refundWithinLimits } from './use-case/refund-within-limits.ts';

/** Without the calls, which the door of `openDoor` serves. */
export function people(sql: Sql): Room {
  return {
    letters: notices,
    attention: async () => {
      const settings = await readLastSettings(sql);
      return settings?.isUnproven === true ? [{ kind: 'limits-unproven', count: 1, detail: null }] : [];
    },
    jobs: [
      {
        name: 'forget-security-log',
        limitSeconds: 3 * day,
        meaning: 'Old entries of the security log are not deleted.',
        pollSeconds: 10,
        everySeconds: day,
        run: async () => {
          await forgetOldSecurityEntries(sql);
          return 0;
        },
      },
    ],
  };
}
