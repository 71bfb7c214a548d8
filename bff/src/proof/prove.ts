import type { Sql } from '../core/database/database.ts';
import { type AccessFault, type CheckedAccess, checkAccess } from './check-access.ts';
import { type ContactFault, checkContacts } from './check-contacts.ts';
import type { InstantFault } from './check-instants.ts';
import { checkRefundTexts, type RefundTextFault } from './check-refund-texts.ts';
import { type CheckedTraces, checkTraces, type TraceFault } from './check-traces.ts';
import { databaseNameOf } from './checkpoint.ts';
import { compareSchema, type SchemaFault } from './compare-schema.ts';
import { type CheckedNotes, checkKeptNotes, type KeptNoteFault } from './kept-notes.ts';
import type { SealMemory } from './seal-memory.ts';
import { type LedgerFault, type VerifiedLedger, type VerifyOptions, verifyLedger, verifyOn } from './verify.ts';

export type ProofFault =
  | LedgerFault
  | InstantFault
  | ContactFault
  | RefundTextFault
  | AccessFault
  | TraceFault
  | SchemaFault
  | KeptNoteFault;

export type Proof = {
  readonly ledger: VerifiedLedger;
  /** False when this login may not read contacts and the words about refunds. */
  readonly textsChecked: boolean;
  /** Undefined when this login may not read the accounts of the back office. */
  readonly access: CheckedAccess | undefined;
  /** Undefined when this login may not read the rows beside the ledger. */
  readonly traces: CheckedTraces | undefined;
  /** False when the database has the migrations of another release. */
  readonly schemaCompared: boolean;
  /** Undefined without a path. */
  readonly kept: CheckedNotes | undefined;
  readonly faults: readonly ProofFault[];
};

export type ProveOptions = VerifyOptions & {
  readonly sql: Sql;
  /** Absent: `sql` has connections enough, without a time limit. */
  readonly url?: string;
  /** A file or directory with notes that were kept elsewhere. */
  readonly against: string | undefined;
  /** Proves nothing, because it is no note from elsewhere. */
  readonly memory?: SealMemory | undefined;
};

/** @throws Error with a sentence when the notes cannot be read. */
export async function prove({ sql, url, against, memory, ...options }: ProveOptions): Promise<Proof> {
  const kept = against === undefined ? undefined : await checkKeptNotes(sql, against, options.verifiers);
  const remembered = memory === undefined ? [] : await checkMemory(sql, memory);
  const schema = await sql.begin('isolation level repeatable read read only', compareSchema);
  const ledger = await (url === undefined ? verifyOn(sql, options) : verifyLedger({ url, ...options }));
  const contacts = await checkContacts(sql);
  const refundTexts = await checkRefundTexts(sql);
  const access = await checkAccess(sql);
  const traces = await checkTraces(sql);
  return {
    ledger,
    textsChecked: contacts !== undefined && refundTexts !== undefined,
    access,
    traces,
    schemaCompared: schema.isCompared,
    kept,
    faults: [
      ...schema.faults,
      ...ledger.faults,
      ...ledger.instants.faults,
      ...(contacts ?? []),
      ...(refundTexts ?? []),
      ...(access?.faults ?? []),
      ...(traces?.faults ?? []),
      ...(kept?.faults ?? []),
      ...remembered,
    ],
  };
}

async function checkMemory(sql: Sql, memory: SealMemory): Promise<readonly KeptNoteFault[]> {
  const database = await databaseNameOf(sql);
  if ((await memory.read(database)) === undefined) return [];
  // Its signature is not checked: the key may have changed since.
  return (await checkKeptNotes(sql, memory.fileOf(database), [])).faults;
}
