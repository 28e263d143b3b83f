/** Runs ripgrep over a folder, with the files and the case handling of `search_files`. */
import { spawnSync } from 'node:child_process';
import { TEXT_EXTENSIONS } from '#tools/vault-documents';

export interface Totals {
  readonly matches: number;
  readonly files: number;
}

export interface SearchRow {
  readonly name: string;
  readonly pattern: string;
  readonly caseSensitive?: boolean;
  readonly multiline?: boolean;
  readonly glob?: string;
}

export function hasRipgrep(): boolean {
  return spawnSync('rg', ['--version']).status === 0;
}

export function ripgrep(folder: string, row: SearchRow): Totals {
  const { pattern, caseSensitive = false, multiline = false, glob } = row;
  const { status, stdout, stderr } = spawnSync(
    'rg',
    [
      ...['--no-ignore', '--no-config', '--count-matches', '--no-filename'],
      ...(caseSensitive ? ['--case-sensitive'] : ['--ignore-case']),
      ...(multiline ? ['--multiline'] : []),
      ...(glob === undefined ? ['--iglob', `*.{${TEXT_EXTENSIONS.join(',')}}`] : ['--iglob', glob]),
      ...['--regexp', pattern, '.'],
    ],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1e9 },
  );
  // 1 means that nothing matched.
  if (status !== 0 && status !== 1) throw new Error(`rg failed: ${stderr}`);
  const counts = stdout.split('\n').filter((line) => line !== '');
  return { files: counts.length, matches: counts.reduce((sum, count) => sum + Number(count), 0) };
}

/** Removes the folder's files from the cache of the operating system; false if that is not possible. */
export function evict(folder: string): boolean {
  const script = [
    'import os, sys',
    'for place, _, names in os.walk(sys.argv[1]):',
    '  for name in names:',
    '    file = os.open(os.path.join(place, name), os.O_RDONLY)',
    '    os.fsync(file)',
    '    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)',
    '    os.close(file)',
  ].join('\n');
  return spawnSync('python3', ['-c', script, folder]).status === 0;
}
