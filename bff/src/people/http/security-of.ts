import type { Context } from 'hono';
import type { RequestEnv } from '../../core/http/request-id.ts';
import type { Client } from '../../core/runtime/client-address.ts';
import type { SecurityLog, SecurityNotes } from '../sign-in/security-log.ts';

export type SecurityOf = (c: Context<RequestEnv>) => SecurityNotes;

export function createSecurityOf(security: SecurityLog, clientOf: (c: Context) => Client): SecurityOf {
  return (c) =>
    security.of({
      client: clientOf(c),
      userAgent: c.req.header('user-agent') ?? '',
      requestId: c.get('requestId'),
    });
}
