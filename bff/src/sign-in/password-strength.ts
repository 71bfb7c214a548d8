import { longestPassword, passwordTexts, shortestPassword } from '@kilim/domain/admin/password';

/** Why a password is refused: a sentence, and what would help. */
export type WeakPassword = { readonly message: string; readonly suggestions: readonly string[] };

export type PasswordStrength = {
  /** From 0, guessed at once, to 4; what is refused has less than 3. */
  readonly score: number;
  readonly weakness: WeakPassword | undefined;
};

/** What anybody guesses first of a rug business, beside its own name and the account's. */
const wordsOfTheTrade =
  `kilim rug rugs carpet carpets cleaning cleaner clean wash washing stain premium midrange economy pickup
  delivery dropoff valley westla losangeles california admin administrator dashboard refund order orders square`.split(
    /\s+/,
  );

/**
 * Length first, in the specification's words (section 5), then strength: what a patient guesser finds with every word list at hand is
 * refused, whatever characters it is made of.
 * @param ownWords what else must not make a password strong: the account's name, the business's.
 */
export async function weaknessOf(password: string, ownWords: readonly string[]): Promise<WeakPassword | undefined> {
  return (await strengthOf(password, ownWords)).weakness;
}

/** How strong a password is, and what is wrong with one that is not strong enough: as in `weaknessOf`. */
export async function strengthOf(password: string, ownWords: readonly string[]): Promise<PasswordStrength> {
  const length = [...password].length;
  if (length < shortestPassword) return { score: 0, weakness: { message: passwordTexts.tooShort, suggestions: [] } };
  if (length > longestPassword) return { score: 0, weakness: { message: passwordTexts.tooLong, suggestions: [] } };
  const estimator = await loadEstimator();
  const words = [...wordsOfTheTrade, ...ownWords.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])]
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 2);
  const judged = [...password].slice(0, longestJudged).join('');
  const { score, feedback } = estimator.check(judged, words);
  // Several words of the trade after one another look like a long password to an estimator that knows nothing of rugs.
  const rest = withoutWords(judged, words);
  const strong = score >= 3 && (rest === judged || estimator.check(rest, words).score >= 2);
  if (strong) return { score, weakness: undefined };
  const { warning, suggestions } = feedback;
  const advice = [...(warning === null ? [] : [warning]), ...suggestions];
  const weakness = { message: passwordTexts.tooEasy, suggestions: advice.length > 0 ? advice : [avoidTheTrade] };
  return { score: Math.min(score, 2), weakness };
}

/** The estimate takes a second for a hundred characters; what is strong after forty does not grow weaker. */
const longestJudged = 40;
const avoidTheTrade = 'Avoid words that have to do with this business.';

function withoutWords(password: string, words: readonly string[]): string {
  const longestFirst = words.toSorted((first, second) => second.length - first.length);
  return longestFirst.reduce((rest, word) => rest.replaceAll(new RegExp(escapePattern(word), 'gi'), ''), password);
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

let loading: ReturnType<typeof load> | undefined;

/** Megabytes of word lists, which only a change of password needs. */
function loadEstimator(): ReturnType<typeof load> {
  loading ??= load();
  return loading;
}

async function load() {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    translations: english.translations,
  });
}
