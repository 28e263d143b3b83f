export function shorterWords(code: string): string;
