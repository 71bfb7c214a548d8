/** The texts never contain a password or a token. */
export type Diagnosis = {
  /** `error`: a part of Kilim cannot work. `warning`: it works, and the operator should change something. */
  readonly level: 'error' | 'warning';
  /** Absent: no variable causes the problem. */
  readonly variable?: string;
  readonly problem: string;
  readonly remedy: string;
};

export function sentenceOf({ variable, problem, remedy }: Diagnosis): string {
  return `${variable === undefined ? '' : `${variable}: `}${problem} ${remedy}`;
}

/** Of Node.js, or the SQLSTATE of PostgreSQL; empty when there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

export type Check = () => Promise<readonly Diagnosis[]>;
