import { isTrue, type Sql } from '../core/database/database.ts';
import { refundTextDigest } from '../core/ledger/refund-text.ts';

export type RefundTextFault = {
  readonly code:
    | 'RefundTextDiffers'
    /** No event says that the words were erased. */
    | 'RefundTextMissing';
  readonly streamId: string;
  readonly refundId: string;
};

type Row = {
  readonly stream_id: string;
  readonly refund_id: string;
  readonly digest: string;
  readonly is_erased: boolean;
  readonly salt: Buffer | null;
  readonly reason: string | null;
  readonly notes: string | null;
};

/**
 * `checkTraces` names words without such an event.
 * @returns undefined when this login may not read the words.
 */
export async function checkRefundTexts(sql: Sql): Promise<readonly RefundTextFault[] | undefined> {
  if (!(await isTrue(sql`select has_table_privilege('ledger.refund_text', 'select')`))) return undefined;
  const faults: RefundTextFault[] = [];
  const rows = sql<Row[]>`
    select e.stream_id, e.refund_id, e.payload ->> 'textDigest' as digest, t.salt, t.reason, t.notes, exists (
        select from ledger.event erased where erased.stream_id = e.stream_id and erased.type = 'ContactErased'
      ) as is_erased
    from ledger.event e left join ledger.refund_text t on t.refund_id = e.refund_id
    where e.type = 'RefundRequested' and e.payload ->> 'textDigest' is not null
    order by e.stream_id, e.version`;
  for await (const batch of rows.cursor(1000)) {
    for (const row of batch) {
      const code = faultOf(row);
      if (code !== undefined) faults.push({ code, streamId: row.stream_id, refundId: row.refund_id });
    }
  }
  return faults;
}

function faultOf({ salt, reason, notes, digest, is_erased: isErased }: Row): RefundTextFault['code'] | undefined {
  if (salt === null) return isErased ? undefined : 'RefundTextMissing';
  const text = { ...(reason === null ? {} : { reason }), ...(notes === null ? {} : { notes }) };
  return refundTextDigest(text, salt) === digest ? undefined : 'RefundTextDiffers';
}
