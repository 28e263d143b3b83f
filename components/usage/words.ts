/** Tokens and money as a person reads them. */
import type { Usage } from '#model/message';

export function allTokens({ input, output, cacheRead, cacheWrite }: Usage): number {
  return input + output + cacheRead + cacheWrite;
}

/** "820", "6.5k", "1.2M" */
export function tokensWords(tokens: number): string {
  if (tokens < 1_000) return `${tokens}`;
  return tokens < 999_950
    ? `${(tokens / 1_000).toFixed(1)}k`
    : `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** "$0.0042", "$1.20": in cents, and below them the two digits that count. */
export function moneyWords(dollars: number): string {
  if (dollars === 0) return '$0';
  if (dollars < 0.0001) return 'under $0.0001';
  if (dollars < 0.00995) return `$${Number(dollars.toPrecision(2))}`;
  return `$${dollars.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** Of the prompt, in per cent. */
export function cachedShare({ input, cacheRead, cacheWrite }: Usage): number {
  return Math.round((cacheRead / Math.max(1, input + cacheRead + cacheWrite)) * 100);
}

/** "6.5k tokens, 84% cached, ≈ $0.0042"; '' where nothing was used up. @param cost null where it is not known */
export function usageWords(usage: Usage, cost: number | null): string {
  const tokens = allTokens(usage);
  if (tokens === 0) return '';
  const cached = cachedShare(usage);
  return [
    `${tokensWords(tokens)} tokens`,
    ...(cached > 0 ? [`${cached}% cached`] : []),
    ...(cost === null ? [] : [`≈ ${moneyWords(cost)}`]),
  ].join(', ');
}
