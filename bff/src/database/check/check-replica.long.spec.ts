import { afterAll, expect, test } from 'vitest';
import { openPair } from '../../../tools/failover/pair.ts';
import { connect } from '../database.ts';
import { migrate } from '../migrate.ts';
import { checkReplica } from './check-replica.ts';

const pair = await openPair();
const open = (url: string) => connect({ url, max: 1, applicationName: 'kilim doctor' });
const [primary, standby] = [open(pair.primaryUrl()), open(pair.standbyUrl())];
afterAll(async () => {
  await Promise.all([primary, standby].map((sql) => sql.end({ timeout: 1 })));
  await pair.close();
});

test('a replica that replays is fine, also while nobody writes; one that does not is a warning', async () => {
  await migrate({ url: pair.primaryUrl() });
  expect(await checkReplica(standby, primary)).toEqual([]);
  await standby`select pg_wal_replay_pause()`;
  await primary`create table rug as select generate_series(1, 100000) as id`;
  const [behind] = await checkReplica(standby, primary);
  expect(behind).toMatchObject({ level: 'warning', variable: 'DATABASE_READ_URL' });
  expect(behind?.problem).toMatch(/^the replica did not catch up within 3 s\. It is [1-9]\d*\.\d MB of log behind\./);
  await standby`select pg_wal_replay_resume()`;
  expect(await checkReplica(standby, primary)).toEqual([]);
});
