export interface Unreached {
  readonly members: readonly string[];
  readonly answers: Readonly<Record<string, string>>;
}

export function shortened(source: string, unreached: Unreached): string;
