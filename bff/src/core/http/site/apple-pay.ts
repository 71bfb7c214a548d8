import { readFile } from 'node:fs/promises';
import type { OpenName, Serve } from '../serve.ts';

/** Square's console provides the file, and checks it before Apple Pay is offered here. */
export function serveApplePay(serve: Serve<OpenName>, domainAssociation: string | undefined): void {
  serve('GET /.well-known/apple-developer-merchantid-domain-association', (c) =>
    domainAssociation === undefined ? c.text('Not found', 404) : c.text(domainAssociation),
  );
}

/**
 * @param configured the file's text or its path; a value that begins with `/` or `.` is a path.
 * @throws Error with a sentence for the operator.
 */
export async function readDomainAssociation(configured: string | undefined): Promise<string | undefined> {
  if (configured === undefined || !/^[/.]/.test(configured)) return configured;
  try {
    return await readFile(configured, 'utf8');
  } catch {
    throw new Error('APPLE_PAY_DOMAIN_ASSOCIATION names a file that cannot be read.');
  }
}
