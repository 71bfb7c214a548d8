import { Alert, Button } from 'antd';
import type { ReactNode } from 'react';
import { ApiError } from '../../../shared/api-client.ts';
import { sharedTexts } from '../../../shared/texts.ts';
import { useOnline } from '../../../shared/use-online.ts';
import { isNoAnswer, useSaysAway } from '../api/no-answer.ts';
import { officeTexts } from '../texts.ts';
import { Busy } from './busy.tsx';
import cards from './card.module.css';
import { Nothing } from './nothing.tsx';

export type LoadedProps<Data> = {
  readonly query: { readonly data: Data | undefined; readonly error: unknown; readonly refetch: () => unknown };
  readonly loading: string;
  readonly failed: string;
  /** When the server has no such thing. Absent: that is a failure like others. */
  readonly missing?: string;
  readonly children: (data: Data) => ReactNode;
};

/** After a failure, the message stands above earlier data. */
export function Loaded<Data>({
  query: { data, error, refetch },
  loading,
  failed,
  missing,
  children,
}: LoadedProps<Data>) {
  if (missing !== undefined && error instanceof ApiError && isNotFound(error)) return <Nothing hint={missing} />;
  return (
    <>
      {error !== null && <LoadProblem title={failed} error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Busy text={loading} />}
      {data !== undefined && children(data)}
    </>
  );
}

function isNotFound({ failure }: ApiError): boolean {
  return failure.kind === 'refused' && failure.status === 404;
}

type LoadProblemProps = { readonly title: string; readonly error: unknown; readonly onRetry: () => void };

/** Nothing while the sign-in covers the page, or while the banner says that the server does not answer. */
function LoadProblem({ title, error, onRetry }: LoadProblemProps) {
  const online = useOnline();
  const saysAway = useSaysAway();
  const failure = error instanceof ApiError ? error.failure : undefined;
  if (failure?.kind === 'refused' && failure.status === 401) return null;
  if (saysAway && online && isNoAnswer(error)) return null;
  const message = failure?.kind === 'refused' ? failure.message : '';
  return (
    <Alert
      type="error"
      role="alert"
      showIcon
      title={title}
      description={
        <div className={cards.row}>
          <p>{online ? message || officeTexts.noAnswer : sharedTexts.loadFailedOffline}</p>
          <Button onClick={onRetry}>{sharedTexts.tryAgain}</Button>
        </div>
      }
    />
  );
}
