export function shorterThis(code: string): string;
