/** What a check found wrong. Its texts never contain a password or a token. */
export type Diagnosis = {
  /** `error`: a part of Kilim cannot work. `warning`: it works, and the operator should change something. */
  readonly level: 'error' | 'warning';
  /** The environment variable to look at. Absent: no variable causes the problem. */
  readonly variable?: string;
  /** One sentence. */
  readonly problem: string;
  /** One sentence, or a few: what the operator should do. */
  readonly remedy: string;
};

/** The diagnosis in one line, for the log and the terminal. */
export function sentenceOf({ variable, problem, remedy }: Diagnosis): string {
  return `${variable === undefined ? '' : `${variable}: `}${problem} ${remedy}`;
}

/** The error code of Node.js or the SQLSTATE of PostgreSQL; empty when there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
