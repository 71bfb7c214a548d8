import type { Context } from 'hono';
import type { SecurityOf } from '../../core/http/proven.ts';
import type { Client } from '../../core/runtime/client-address.ts';
import type { SecurityLog } from '../sign-in/security-log.ts';

export function createSecurityOf(security: SecurityLog, clientOf: (c: Context) => Client): SecurityOf {
  return (c) =>
    security.of({
      client: clientOf(c),
      userAgent: c.req.header('user-agent') ?? '',
      requestId: c.get('requestId'),
    });
}
