import { Alert, Button } from 'antd';
import { ApiError } from '../../shared/api-client.ts';
import { sharedTexts } from '../../shared/texts.ts';
import { useOnline } from '../../shared/use-online.ts';

type LoadProblemProps = { readonly title: string; readonly error: unknown; readonly onRetry: () => void };

/** What stands in the place of data that could not be loaded. While the sign-in is before the page, nothing needs saying. */
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
