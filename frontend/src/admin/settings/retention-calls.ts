import { type ContactRetentionRequest, contactRetention } from '@kilim/bff/contract/contact-retention';
import { adminQuery } from '../api/admin-query.ts';
import { outcomeOf } from '../api/outcome.ts';

const path = '/api/admin/contact-retention';

export const retentionQuery = adminQuery(['admin', 'contact-retention'], { path, schema: contactRetention });

export function saveRetention(body: ContactRetentionRequest) {
  return outcomeOf({ path, schema: contactRetention, body });
}
