/**
 * The browser refuses texts where script could begin (`innerHTML`, a script's `src`), except from the policies that the
 * content security policy names. Each policy is kept in the one module that needs it.
 */
type Rules = {
  readonly createHTML?: (markup: string) => string;
  readonly createScriptURL?: (url: string) => string;
};

/** TypeScript's library lacks Trusted Types. Their objects are used like texts. */
type Policy = Required<Rules>;

declare global {
  interface Window {
    readonly trustedTypes?: { createPolicy(name: string, rules: Rules): Policy };
  }
}

const untouched: Policy = { createHTML: (markup) => markup, createScriptURL: (url) => url };

/** @returns a policy that changes nothing where there are no Trusted Types. */
export function createPolicy(name: 'kilim-square' | 'kilim-terms', rules: Rules): Policy {
  // Some tests import the modules outside a browser.
  if (typeof window === 'undefined') return untouched;
  return window.trustedTypes?.createPolicy(name, rules) ?? untouched;
}
