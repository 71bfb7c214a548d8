import type { SecondFactorKind } from '@kilim/domain/people/second-factor';

/** What the sign-in page's own script learned before it loaded the office, which is built apart from it. */
export type HandedSignIn = {
  /** Proves the password. Absent after a passkey. */
  readonly token?: string | undefined;
  /** What must follow the password. Absent: the person is signed in. */
  readonly factors?: readonly SecondFactorKind[];
};

declare global {
  interface HTMLElement {
    signIn?: HandedSignIn;
  }
}

export function handOver(signIn: HandedSignIn): void {
  const root = document.getElementById('root');
  if (root !== null) root.signIn = signIn;
}

/** Undefined if the page was opened with a session. */
export function handedSignIn(): HandedSignIn | undefined {
  return globalThis.document?.getElementById('root')?.signIn;
}
