export function shorterStrings(code: string): string;
