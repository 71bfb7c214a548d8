import { addressOf, type ChildServer } from './child-server.ts';

export function cookiesOf({ headers }: Pick<Response, 'headers'>): string {
  return headers
    .getSetCookie()
    .map((line) => line.slice(0, line.indexOf(';')))
    .join('; ');
}

export async function signInFirst(server: ChildServer, password: string): Promise<string> {
  const answer = await fetch(addressOf(server, '/api/admin/login'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  if (answer.status !== 200) throw new Error(`Not signed in: ${answer.status}`);
  return cookiesOf(answer);
}
