import { Alert } from 'antd';

type PasswordProblemProps = { readonly message: string; readonly suggestions: readonly string[] };

/** Why a new password was refused, and how to choose a better one. */
export function PasswordProblem({ message, suggestions }: PasswordProblemProps) {
  return (
    <Alert
      type="error"
      role="alert"
      showIcon
      title={message}
      description={
        suggestions.length > 0 && (
          <ul>
            {suggestions.map((suggestion) => (
              <li key={suggestion}>{suggestion}</li>
            ))}
          </ul>
        )
      }
    />
  );
}
