/**
 * The folders in which programs are found, as in the user's terminal. An app that was started from
 * a dock or a launcher knows only a few of them. Loaded only when a program is started.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Clock } from '#ports/clock';

/** A profile may wait for input or for the network. */
const SHELL_TIMEOUT_MS = 5_000;
/** A profile that writes more than this is not read to its end. */
const MAX_SHELL_CHARS = 1_000_000;
/** Encloses the answer, because a profile may write text of its own. */
const MARK = '__parley_environment__';

/** Answers of login shells, by the path of the shell. */
const answers = new Map<string, Promise<readonly string[]>>();

/**
 * The value of `PATH` for a program: the folders of the user's login shell, which is asked once,
 * then those of the app. Windows gives all apps the same.
 */
export async function programPath(clock: Clock): Promise<string> {
  const known = process.env['PATH'] ?? '';
  if (process.platform === 'win32') return known;
  const shell = process.env['SHELL'] ?? '/bin/sh';
  const answer = answers.get(shell) ?? askShell(shell, clock);
  answers.set(shell, answer);
  return [...new Set([...(await answer), ...foldersIn(known)])].join(path.delimiter);
}

/** Makes the next start ask again, because the user may have installed the program meanwhile. */
export function forgetProgramPath(): void {
  answers.clear();
}

function foldersIn(value: string): string[] {
  return value.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}

/** The folders of a login shell; none if it does not answer. Never rejects. */
async function askShell(shell: string, clock: Clock): Promise<readonly string[]> {
  // Each part works in sh, bash, zsh, fish, csh and nushell.
  const command = `echo ${MARK}; /usr/bin/env; echo ${MARK}`;
  // csh takes -l only as its single option.
  const options = /csh$/.test(shell) ? ['-ic'] : ['-i', '-l', '-c'];
  const over = new AbortController();
  const child = spawn(shell, [...options, command], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // A group of its own, so that what the profile has started can be ended, too. An interactive
    // shell in the app's group could also take over the terminal that the app was started from.
    detached: true,
  });
  let output = '';
  const answered = new Promise<void>((resolve) => {
    child.on('error', () => resolve());
    child.on('close', () => resolve());
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > MAX_SHELL_CHARS || output.split(MARK).length > 2) resolve();
    });
  });
  await Promise.race([answered, clock.sleep(SHELL_TIMEOUT_MS, over.signal)]);
  over.abort();
  endGroup(child.pid);
  child.stdout.destroy();
  const [, environment = '', rest] = output.split(MARK);
  const value = /^PATH=(.*)$/m.exec(environment)?.[1];
  return rest === undefined || value === undefined ? [] : foldersIn(value);
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of the group has already exited.
  }
}
