import { createHash } from 'node:crypto';
import type { Logger } from '../../core/runtime/logger.ts';
import { createOutboundFetch } from '../../core/runtime/outbound-fetch.ts';

/** False when the collection cannot be reached. */
export type IsStolen = (password: string) => Promise<boolean>;

const prefixLength = 5;

/**
 * The range API of Have I Been Pwned. Only the first 5 of the 40 digits of the password's SHA-1 leave the server, and
 * the answer is padded, so that nobody learns the password.
 * @param url with its last slash.
 */
export function stolenPasswordsAt(url: string, log: Pick<Logger, 'warn'>, timeoutSeconds = 2): IsStolen {
  const outbound = createOutboundFetch({ origins: [new URL(url).origin], timeoutSeconds });
  return async (password) => {
    const hash = createHash('sha1').update(password).digest('hex').toUpperCase();
    try {
      const answer = await outbound(`${url}${hash.slice(0, prefixLength)}`, { headers: { 'add-padding': 'true' } });
      if (!answer.ok) throw new Error(`The service answered ${answer.status}`);
      return lists(await answer.text(), hash.slice(prefixLength));
    } catch (error) {
      log.warn(
        { err: error },
        'the service of stolen passwords failed: the new password was compared with the list only',
      );
      return false;
    }
  };
}

/** Each line is the rest of a hash, a colon and a count. Padding has the count 0. */
function lists(answer: string, rest: string): boolean {
  return answer.split(/\r?\n/).some((line) => {
    const [listed, count] = line.split(':');
    return listed?.toUpperCase() === rest && Number(count) > 0;
  });
}
