import { Alert, Button } from 'antd';
import { ApiError } from '../../../shared/api-client.ts';
import { sharedTexts } from '../../../shared/texts.ts';
import { useOnline } from '../../../shared/use-online.ts';

type LoadProblemProps = { readonly title: string; readonly error: unknown; readonly onRetry: () => void };

/** Nothing while the sign-in covers the page. */
export function LoadProblem({ title, error, onRetry }: LoadProblemProps) {
  const online = useOnline();
  const failure = error instanceof ApiError ? error.failure : undefined;
  if (failure?.kind === 'refused' && failure.status === 401) return null;
  const message = failure?.kind === 'refused' ? failure.message : '';
  return (
    <Alert
      type="error"
      role="alert"
      showIcon
      title={title}
      description={online ? message || sharedTexts.loadFailedHint : sharedTexts.loadFailedOffline}
      action={<Button onClick={onRetry}>{sharedTexts.tryAgain}</Button>}
    />
  );
}
