const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?:[^\n]*\n)*?---[ \t]*(?:\r?\n|\r?$)/;

/** The properties at the top of a note with the lines that enclose them; empty where there are none. */
export function frontMatter(text: string): string {
  return FRONT_MATTER.exec(text)?.[0] ?? '';
}
