import { parseEnv } from 'node:util';
import { knownNames } from './env-variables.ts';

/**
 * With the most similar known name. The environment itself is not checked: it also holds variables of other programs. A
 * sentence never repeats a value, which may be a secret.
 */
export function envFileWarnings(text: string): readonly string[] {
  return Object.keys(parseEnv(text))
    .filter((name) => !knownNames.includes(name))
    .map((name) => `.env sets ${name}, which nothing reads.${hint(name)}`);
}

function hint(name: string): string {
  const nearest = nearestName(name.toUpperCase().replace(/^KILIM_/, ''));
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

/** Undefined when more than half of the letters differ. */
function nearestName(name: string): string | undefined {
  const candidates = knownNames.map((known) => ({
    known,
    change: changedLetters(name, known) / Math.max(name.length, known.length),
  }));
  const [nearest] = candidates.toSorted((first, second) => first.change - second.change);
  return nearest !== undefined && nearest.change <= 0.5 ? nearest.known : undefined;
}

/** The Levenshtein distance. */
function changedLetters(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1];
    for (const [column, wanted] of [...to].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === wanted ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
