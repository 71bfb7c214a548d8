import { parentPort, workerData } from 'node:worker_threads';
import { connect } from '../database.ts';
import type { VerifyWork } from './verify.ts';
import { verifyStreams } from './verify-streams.ts';

// One of the threads among which `verify` shares the streams.

const { url, range } = workerData as VerifyWork;
const sql = connect({ url, max: 1, applicationName: 'kilim verify', statementTimeoutSeconds: 0 });
try {
  const verified = await verifyStreams(sql, range, (events) => parentPort?.postMessage({ events }));
  parentPort?.postMessage({ verified });
} finally {
  await sql.end({ timeout: 1 });
}
