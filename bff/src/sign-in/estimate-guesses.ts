import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';

// Runs in a child process: the word lists take 40 MB, and an estimate occupies its processor for up
// to a second. Only a change of password needs them.

const estimator = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
  translations: english.translations,
});

export type Guessed = { readonly password: string; readonly words: readonly string[] };

export type Estimate = {
  /** From 0 (guessed immediately) to 4. */
  readonly score: number;
  readonly warning: string | null;
  readonly suggestions: readonly string[];
};

/** Estimates how fast an attacker finds a password, who knows common passwords and these words. */
export async function work({ password, words }: Guessed): Promise<Estimate> {
  const { score, feedback } = estimator.check(password, [...words]);
  return { score, warning: feedback.warning, suggestions: feedback.suggestions };
}
