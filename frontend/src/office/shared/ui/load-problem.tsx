import { Alert, Button } from 'antd';
import { ApiError } from '../../../shared/api-client.ts';
import { sharedTexts } from '../../../shared/texts.ts';
import { useOnline } from '../../../shared/use-online.ts';
import { isNoAnswer, useServerIsAway } from '../api/no-answer.ts';
import { officeTexts } from '../texts.ts';

type LoadProblemProps = { readonly title: string; readonly error: unknown; readonly onRetry: () => void };

/** Nothing while the sign-in covers the page, or while the banner says that the server does not answer. */
export function LoadProblem({ title, error, onRetry }: LoadProblemProps) {
  const online = useOnline();
  const isAway = useServerIsAway();
  const failure = error instanceof ApiError ? error.failure : undefined;
  if (failure?.kind === 'refused' && failure.status === 401) return null;
  if (isAway && online && isNoAnswer(error)) return null;
  const message = failure?.kind === 'refused' ? failure.message : '';
  return (
    <Alert
      type="error"
      role="alert"
      showIcon
      title={title}
      description={online ? message || officeTexts.noAnswer : sharedTexts.loadFailedOffline}
      action={<Button onClick={onRetry}>{sharedTexts.tryAgain}</Button>}
    />
  );
}
