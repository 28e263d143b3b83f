/** Fuses rankings and measures how well they answer questions. */

/** The constant of reciprocal rank fusion (Cormack et al. 2009). */
const FUSION_K = 60;

/**
 * Fuses rankings by the sum of their reciprocal ranks.
 * @param weights by ranking
 */
export function fused(
  rankings: readonly (readonly string[])[],
  weights: readonly number[],
): string[] {
  const scores = new Map<string, number>();
  for (const [place, ranking] of rankings.entries()) {
    for (const [rank, id] of ranking.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + weights[place]! / (FUSION_K + rank + 1));
    }
  }
  const sorted = [...scores].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return sorted.map(([id]) => id);
}

/** How well one question was answered. */
export interface Quality {
  /** 1 if an answer is among the first five, otherwise 0. */
  readonly inFive: number;
  readonly inTen: number;
  /** One divided by the rank of the first answer; 0 beyond ten. */
  readonly reciprocalRank: number;
}

export function quality(ranking: readonly string[], answers: readonly string[]): Quality {
  const at = ranking.slice(0, 10).findIndex((id) => answers.includes(id));
  return {
    inFive: at >= 0 && at < 5 ? 1 : 0,
    inTen: at >= 0 ? 1 : 0,
    reciprocalRank: at < 0 ? 0 : 1 / (at + 1),
  };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/**
 * The share of resamplings of the questions in which the first scores have the higher mean
 * (bootstrap with a fixed seed), from 0 to 1.
 */
export function shareAbove(first: readonly number[], second: readonly number[]): number {
  let state = 1;
  const random = () => {
    // The minimal standard generator of Park and Miller.
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  let above = 0;
  const rounds = 2_000;
  for (let round = 0; round < rounds; round += 1) {
    let difference = 0;
    for (let each = 0; each < first.length; each += 1) {
      const at = Math.floor(random() * first.length);
      difference += first[at]! - second[at]!;
    }
    if (difference > 0) above += 1;
  }
  return above / rounds;
}
