export interface FoundBrowser {
  executablePath: string;
  args: string[];
  env: Record<string, string>;
}

export function findBrowser(say?: (words: string) => void): FoundBrowser;
export function findInstalledBrowser(say?: (words: string) => void): FoundBrowser;
