import type { Sql } from '../database/database.ts';
import type { WebhookSigns } from '../http/square-webhooks.ts';
import { type Job, minute } from './job.ts';

/** Conditions of the server and its neighbours, each with a heartbeat of its own. */
export type ServerWatch = {
  /** @returns whether Square refused the access token at the last call. */
  readonly isSquareRefused: () => Promise<boolean>;
  /** Of the fullest disk: from 0 to 1. */
  readonly freeDisk: () => Promise<number>;
  readonly webhooks: WebhookSigns;
  /** In the first minutes after the start. */
  readonly isCatchingUp: () => boolean;
};

const leastFree = 0.1;

/** Some minutes without a good look are told. */
const rules = { limitSeconds: 3 * minute, pollSeconds: 20 } as const;

export function watchingServer(
  sql: Sql,
  { isSquareRefused, freeDisk, webhooks }: Omit<ServerWatch, 'isCatchingUp'>,
): readonly Job[] {
  return [
    {
      ...rules,
      name: 'square-access',
      meaning: 'Square refuses our access token: no card can be charged and no refund can be made.',
      run: async (fail) => {
        if (await isSquareRefused()) fail('the token is not valid');
        return 0;
      },
    },
    {
      ...rules,
      name: 'disk',
      meaning: 'The disk of the server is almost full. On a full disk no order can be taken.',
      run: async (fail) => {
        const free = await freeDisk();
        if (free < leastFree) fail(`${Math.floor(free * 100)} % are free`);
        return 0;
      },
    },
    {
      ...rules,
      name: 'square-messages',
      meaning: 'Messages of Square are refused: what changes there is known here only after some minutes.',
      // Only a server that got a message knows better than what another one has said.
      run: async (fail) => {
        const { last } = webhooks;
        webhooks.last = undefined;
        if (last === 'right') return 0;
        if (last !== undefined) fail(last.mistake);
        const [row] = await sql`select from ledger.heartbeat where name = 'square-messages' and failure is not null`;
        return row === undefined ? 0 : undefined;
      },
    },
    {
      ...rules,
      name: 'standby',
      meaning: 'No second database follows the first one: if its machine fails, the newest orders may be lost.',
      onceSeen: true,
      // A backup has a temporary slot.
      run: async (fail) => {
        const [row] = await sql<{ standbys: number; known: boolean }[]>`
          select (
              select count(*)::int from pg_replication_slots where slot_type = 'physical' and active and not temporary
            ) as standbys,
            exists (select from ledger.heartbeat where name = 'standby') as known`;
        if (row === undefined || (row.standbys === 0 && !row.known)) return undefined;
        if (row.standbys === 0) fail('no standby is connected');
        return 0;
      },
    },
  ];
}
