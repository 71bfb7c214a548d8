import type { Access, AccessChanged } from '@kilim/domain/people/access';
import { accountStates } from '@kilim/domain/people/people';
import { roles } from '@kilim/domain/people/permissions';
import { z } from 'zod';
import type { StreamKind } from '../read.ts';
import { createCodec } from './codec.ts';

const digest = z.hex().length(64);

/** Also the shape of a row of `admin.list_access`. */
export const accessSchema = z.object({
  role: z.enum(roles),
  state: z.enum(accountStates),
  password: digest.nullable(),
  passkeys: digest.nullable(),
  oneTimeCode: digest.nullable(),
  recoveryCodes: digest.nullable(),
  link: digest.nullable(),
}) satisfies z.ZodType<Access>;

export const accessCodec = createCodec<AccessChanged>({
  payloads: { AccessChanged: z.object({ username: z.string(), before: accessSchema.nullable(), after: accessSchema }) },
});

/** `admin-<name>` tells what people did. */
export function accessStream(username: string): StreamKind<AccessChanged> {
  return { streamId: `access-${username}`, codec: accessCodec };
}
