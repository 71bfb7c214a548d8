import { patience } from '@kilim/lab/testing/patience';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { expect, test, vi } from 'vitest';
import { takeDueJob } from './jobs.ts';

const { appSql, ownerSql } = await testDatabase();

test('of two processes that notice a due job at the same moment, one executes it', async () => {
  await ownerSql`insert into ledger.job (name, due_at) values ('a-job', clock_timestamp())`;
  let later: Promise<boolean> | undefined;
  await ownerSql.begin(async (first) => {
    await first`select from ledger.job where name = 'a-job' for update`;
    later = takeDueJob(appSql, 'a-job', 3600);
    await vi.waitFor(async () => {
      const waiting = await ownerSql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect(waiting).toHaveLength(1);
    }, patience);
    expect(await first`select ledger.take_job('a-job', 3600) as taken`).toEqual([{ taken: true }]);
  });
  expect(await later).toBe(false);
});

test('a job that is due later than after its interval is executed', async () => {
  await ownerSql`insert into ledger.job (name, due_at) values ('far-job', clock_timestamp() + interval '2 hours')`;
  expect(await takeDueJob(appSql, 'far-job', 3600)).toBe(true);
  expect(await takeDueJob(appSql, 'far-job', 3600)).toBe(false);
});
