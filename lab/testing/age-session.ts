import type { Sql } from '../../bff/src/core/database/database.ts';
import { sealSession } from '../../bff/src/people/sign-in/sessions.ts';
import { tokenHash } from '../../bff/src/people/sign-in/tokens.ts';
import { authenticateBesideServers } from '../../bff/src/proof/authenticate-beside-servers.ts';

/**
 * Since the session proved who its person is.
 * @param ownerSql with the signing key of the server, unless the server is this process.
 * @returns the token for the session's cookie.
 */
export async function ageSession(ownerSql: Sql, token: string, seconds: number): Promise<string> {
  await ownerSql`
    update admin.session set authenticated_at = authenticated_at - make_interval(secs => ${seconds}),
      second_factor_at = second_factor_at - make_interval(secs => ${seconds})
    where id = (select id from admin.look_at_session(${tokenHash(token) ?? null}))`;
  const sealed = await sealSession(ownerSql, token);
  if (sealed === undefined) throw new Error('There is no such session');
  return sealed;
}

export async function sealAsServer(sql: Sql, dataDir: string): Promise<void> {
  await authenticateBesideServers(sql, { signingKey: undefined, dataDir, shop: '' });
}
