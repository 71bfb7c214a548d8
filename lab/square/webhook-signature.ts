import { createHmac } from 'node:crypto';

export type SignedDelivery = { readonly url: string; readonly signatureKey: string; readonly body: string };

/** The subscriber's address followed by the raw body. */
export function signWebhook({ url, signatureKey, body }: SignedDelivery): string {
  return createHmac('sha256', signatureKey).update(`${url}${body}`).digest('base64');
}
