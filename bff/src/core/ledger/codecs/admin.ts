import { type AdminEvent, linkPurposes } from '@kilim/domain/people/people';
import { roles } from '@kilim/domain/people/permissions';
import { secondFactorKinds } from '@kilim/domain/people/second-factor';
import { z } from 'zod';
import { createCodec } from './codec.ts';

const username = z.string();
const role = z.enum(roles);
const kind = z.enum(secondFactorKinds);

export const adminCodec = createCodec<AdminEvent>({
  payloads: {
    PasswordChanged: z.object({ username, how: z.enum(['changed', 'reset']), endedSessions: z.int() }),
    AccountInvited: z.object({ username, role }),
    PasswordLinkIssued: z.object({ username, purpose: z.enum(linkPurposes) }),
    AccountActivated: z.object({ username }),
    RoleChanged: z.object({ username, from: role, to: role, endedSessions: z.int() }),
    AccountDisabled: z.object({ username, endedSessions: z.int(), revokedTokens: z.int() }),
    AccountEnabled: z.object({ username }),
    SecondFactorAdded: z.object({ username, kind }),
    SecondFactorRemoved: z.object({ username, kind }),
    RecoveryCodesMade: z.object({ username, count: z.int() }),
    SecondFactorReset: z.object({ username, endedSessions: z.int() }),
  },
});
