/** The shapes of the back office's calls about exports and the books. Amounts are US dollars, days are `2026-11-21`, instants are ISO 8601. */

export type ExportFormatName =
  | 'csv'
  | 'jsonl'
  | 'journal-csv'
  | 'quickbooks-csv'
  | 'xero-csv'
  | 'sales-tax-csv'
  | 'takings-csv'
  | 'refunds-csv';

/**
 * The query of `GET /api/admin/ledger/export`. It is answered to whoever is signed in, and to the bearer of an export token. A range that is closed
 * has an `ETag`, because it never changes.
 */
export type ExportQuery = {
  readonly format: ExportFormatName;
  /** First and last day on which what it holds was posted. */
  readonly from: string;
  readonly to: string;
  /** Of `csv`, `jsonl` and `journal-csv`: go on after the event at this position, without a header. */
  readonly after?: number;
};

/** `GET /api/admin/ledger/contents?from&to`: what the exports of a range contain. */
export type ContentsAnswer = {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  /** All of it is closed: it never changes. */
  readonly closed: boolean;
  readonly orders: number;
  readonly takings: number;
  readonly refundCount: number;
  readonly refunds: number;
  readonly fees: number;
  readonly disputes: number;
  readonly unidentified: number;
  readonly net: number;
  readonly taxableSales: number;
  readonly taxCollected: number;
  readonly taxRefunded: number;
  readonly taxDue: number;
  /** All debits of the journal, which are as much as all its credits. */
  readonly debits: number;
  /** Money that the ledger learned of after its day was closed. */
  readonly lateFacts: number;
  /** Lines of each export, without its header. */
  readonly rows: Readonly<Record<ExportFormatName, number>>;
};

export type ExportTokenAnswer = {
  readonly id: string;
  readonly name: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly usedAt: string | null;
  readonly revokedAt: string | null;
};

/** `POST /api/admin/export-tokens`: the only time that the token is shown. */
export type NewExportTokenAnswer = { readonly id: string; readonly token: string };

export type ClosingAnswer = {
  readonly through: string;
  readonly closedAt: string;
  readonly closedBy: string;
  /** The number of the signed checkpoint that covers it; null as long as there is none. */
  readonly checkpoint: number | null;
};

/** `GET /api/admin/books` */
export type BooksAnswer = {
  readonly version: number;
  readonly timeZone: string;
  readonly today: string;
  /** The last day that can be closed now: yesterday in the shop. */
  readonly lastClosable: string;
  /** Whether closing signs: without a key nothing is. */
  readonly signs: boolean;
  /** Newest first. */
  readonly closings: readonly ClosingAnswer[];
  readonly accounts: Readonly<Record<string, { readonly name: string; readonly code: string }>>;
  readonly taxRate: string;
};
