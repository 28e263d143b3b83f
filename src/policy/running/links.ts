/** Links in a note that make a program do something once they are followed. */
import type { Running } from './running';
import { isPlainLink } from './targets';

/** Wherever they stand: some readers make a link of the bare words. */
const ACTS =
  /\b(?:obsidian|vscode|shell|javascript|vbscript|file|smb|ms-[a-z-]+|data):(?=\/|\S*[(;,])\S*/gi;

/** What is linked to in brackets, between angles, and by name; a footnote is no link. */
const TARGETS: readonly RegExp[] = [
  /\]\(\s*(<[^>\n]*>|[^\s)]+)/g,
  /<([a-z][\w+.-]*:(?!:)[^\s<>]*)>/gi,
  /^[ \t>*+\-\d.)]*\[(?!\^)[^\]\n]+\]:\s*(<[^>\n]*>|\S+)/gm,
];

export function links(text: string): Running[] {
  const bare = Array.from(text.matchAll(ACTS), ([whole]) => whole.replace(/[)>]+$/, ''));
  const named = TARGETS.flatMap((target) => [...text.matchAll(target)]).flatMap(
    ([whole, target = '']) =>
      isPlainLink(target) || bare.some((each) => target.includes(each)) ? [] : [whole.trim()],
  );
  return [...bare, ...named].map((each) => ({
    what: 'a link that makes a program act',
    text: each,
  }));
}
