/** The type of a property's value, in the words of Obsidian's properties view. */
export function valueType(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'boolean') return 'checkbox';
  if (typeof value === 'number') return 'number';
  if (typeof value !== 'string') return 'object';
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return 'date';
  return /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(value) ? 'date & time' : 'text';
}
