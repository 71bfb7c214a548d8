import { expect, inject, test } from 'vitest';
import { migrate } from './migrate.ts';
import { cloneDatabase } from './testing/postgres.ts';

test('a login without rights of its own starts against a migrated database, and is told what to do otherwise', async () => {
  const database = await cloneDatabase(inject('postgresAdminUrl'));
  try {
    await database.ownerSql.unsafe("create role app_login login password 'x'; grant kilim_app to app_login");
    const url = Object.assign(new URL(database.url), { username: 'app_login', password: 'x' }).href;
    expect(await migrate({ url })).toEqual([]);
    const blank = Object.assign(new URL(url), { pathname: '/postgres' }).href;
    await expect(migrate({ url: blank })).rejects.toThrow(/Set MIGRATION_DATABASE_URL/);
  } finally {
    await database.ownerSql.unsafe('drop role app_login');
    await database.drop();
  }
});
