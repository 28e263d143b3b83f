/** Names and numbers as a person reads them. */

/** "1 note", "3 notes" */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}

/** "Lisbon trip" of "Projects/Lisbon trip.md" */
export function noteName(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.md$/, '');
}

/** "Projects/" of "Projects/Lisbon trip.md"; '' for what lies in none. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
