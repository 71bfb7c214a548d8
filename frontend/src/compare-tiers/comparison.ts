import { comparisonRows, type TierComparison, tierComparison, type WordsByTier } from '@kilim/domain/tier-comparison';
import { byTier } from '../shared/offer.ts';
import { fieldsOf } from '../shared/settings.ts';

/** From the settings; missing or invalid texts fall back to the built-in ones. */
export function comparisonOf(given: unknown): TierComparison {
  const { rows, recommendations, experience } = fieldsOf(given);
  const own = fieldsOf(rows);
  const builtIn = tierComparison;
  const { title, text } = fieldsOf(experience);
  const rowTexts = comparisonRows.map((row) => [row, wordsOf(own[row], builtIn.rows[row])] as const);
  return {
    rows: Object.fromEntries(rowTexts) as TierComparison['rows'],
    recommendations: wordsOf(recommendations, builtIn.recommendations),
    // The title and the text belong together.
    experience: isText(title) && isText(text) ? { title, text } : builtIn.experience,
  };
}

function wordsOf(given: unknown, builtIn: WordsByTier): WordsByTier {
  const own = fieldsOf(given);
  return byTier((tier) => {
    const text = own[tier];
    return isText(text) ? text : builtIn[tier];
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
