import { spawn } from 'node:child_process';

/** Opens the system's browser. If that fails, the user can open the printed URL. */
export function openBrowser(url: string): void {
  const [program, ...args] = commandFor(process.platform, url);
  if (program === undefined) return;
  const started = spawn(program, args, { stdio: 'ignore', detached: true });
  started.once('error', () => undefined);
  started.unref();
}

function commandFor(platform: NodeJS.Platform, url: string): string[] {
  if (platform === 'darwin') return ['open', url];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  return ['xdg-open', url];
}
