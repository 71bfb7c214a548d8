import { expect, test } from 'vitest';
import { explainDatabaseError } from '../../core/database/explain-database-error.ts';
import { sentenceOf } from '../../core/runtime/diagnosis.ts';

// No test can cause these errors at a real server. `check-database.long.spec.ts` has the others.

const place = {
  variable: 'DATABASE_URL',
  url: 'postgres://kilim:s%40cret@db1:5432,db2/rugs?sslmode=verify-full&password=s%40cret',
} as const;

test.each([
  ['CERT_HAS_EXPIRED', 'the certificate of db1:5432,db2 cannot be trusted (CERT_HAS_EXPIRED). Use the host name'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate of db1:5432,db2 cannot be trusted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate of db1:5432,db2 cannot be trusted'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'the TLS handshake with db1:5432,db2 failed'],
  ['ECONNRESET', 'db1:5432,db2 closed the connection before a session began.'],
  ['ENOENT', 'nothing accepts connections at db1:5432,db2.'],
  ['TOO_LATE', 'db1:5432,db2 accepted the connection, and then did not answer in time.'],
  ['28000', 'db1:5432,db2 refuses the login kilim.'],
  ['53300', 'db1:5432,db2 has no connection left.'],
  ['57P03', 'PostgreSQL at db1:5432,db2 is starting or stopping.'],
  ['XX000', 'the database rugs at db1:5432,db2 cannot be used (XX000).'],
])('%s becomes a sentence', (code, sentence) => {
  const error = Object.assign(new Error(`something with ${place.url}`), { code });
  const told = sentenceOf(explainDatabaseError(error, place));
  expect(told).toMatch(/^DATABASE_URL: .*\.$/);
  expect(told).toContain(sentence);
  expect(told).not.toMatch(/s%40cret|s@cret/);
});
