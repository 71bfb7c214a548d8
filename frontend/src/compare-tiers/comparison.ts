import type { Tier } from '@kilim/domain/catalog';
import { type TierComparison, tierComparison, type WordsByTier } from '@kilim/domain/tier-comparison';
import { fieldsOf } from '../shared/settings.ts';

/**
 * The comparison texts from the settings. Missing or invalid texts fall back to the built-in ones.
 */
export function comparisonOf(given: unknown): TierComparison {
  const { rows, recommendations, experience } = fieldsOf(given);
  const own = fieldsOf(rows);
  const builtIn = tierComparison;
  const row = (name: keyof TierComparison['rows']) => wordsOf(own[name], builtIn.rows[name]);
  const { title, text } = fieldsOf(experience);
  return {
    rows: {
      washProcess: row('washProcess'),
      washingCoverage: row('washingCoverage'),
      waterSaturation: row('waterSaturation'),
      deDusting: row('deDusting'),
      tierPerks: row('tierPerks'),
      specialBonuses: row('specialBonuses'),
    },
    recommendations: wordsOf(recommendations, builtIn.recommendations),
    // The title and the text fall back together, because they belong together.
    experience: isText(title) && isText(text) ? { title, text } : builtIn.experience,
  };
}

function wordsOf(given: unknown, builtIn: WordsByTier): WordsByTier {
  const own = fieldsOf(given);
  const word = (tier: Tier) => {
    const text = own[tier];
    return isText(text) ? text : builtIn[tier];
  };
  return { premium: word('premium'), midrange: word('midrange'), economy: word('economy') };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
