import { linkedAccount, passwordChosen } from '@kilim/bff/contract/people';
import { weakPassword } from '@kilim/bff/contract/session';
import { request } from '../../shared/api-client.ts';
import { call } from '../../shared/call.ts';
import { messageOf } from '../shared/api/admin-request.ts';
import { officeTexts } from '../shared/texts.ts';

export function findLinkedAccount(token: string) {
  return request(call('POST /api/admin/password-link', { body: { token }, answer: linkedAccount }));
}

export type Choice = { readonly token: string; readonly password: string; readonly displayName?: string };

export type Chosen =
  | { readonly kind: 'chosen' }
  | { readonly kind: 'failed'; readonly message: string; readonly suggestions: readonly string[] };

export async function choosePassword(choice: Choice): Promise<Chosen> {
  const answer = await request(call('POST /api/admin/password-link/use', { body: choice, answer: passwordChosen }));
  if (answer.ok) return { kind: 'chosen' };
  const failure = answer.rejection;
  const weak = weakPassword.safeParse(failure.kind === 'refused' ? failure.body : undefined);
  const fields = failure.kind === 'refused' ? Object.values(failure.fields) : [];
  const message = fields[0] ?? messageOf(failure, officeTexts.failed);
  return { kind: 'failed', message, suggestions: weak.success ? weak.data.suggestions : [] };
}
