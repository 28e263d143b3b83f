import { nameOf } from '#policy/paths';

/** `note`, `png file`, or `file` where the name does not tell. */
export function typeOf(path: string): string {
  const name = nameOf(path);
  const at = name.lastIndexOf('.');
  const extension = at > 0 ? name.slice(at + 1).toLowerCase() : '';
  return extension === 'md' ? 'note' : extension === '' ? 'file' : `${extension} file`;
}
