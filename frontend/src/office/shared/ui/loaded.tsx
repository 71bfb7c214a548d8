import type { ReactNode } from 'react';
import { Busy } from './busy.tsx';
import { LoadProblem } from './load-problem.tsx';

export type LoadedProps<Data> = {
  readonly query: { readonly data: Data | undefined; readonly error: unknown; readonly refetch: () => unknown };
  readonly loading: string;
  readonly failed: string;
  readonly children: (data: Data) => ReactNode;
};

/** After a failure, the message stands above earlier data. */
export function Loaded<Data>({ query: { data, error, refetch }, loading, failed, children }: LoadedProps<Data>) {
  return (
    <>
      {error !== null && <LoadProblem title={failed} error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Busy text={loading} />}
      {data !== undefined && children(data)}
    </>
  );
}
