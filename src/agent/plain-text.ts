/** What a model wrote, as plain text for a line of the screen or another program: no marks, no line breaks, no tricks. */

/** One line of words. */
export function plainLine(text: string): string {
  return (
    text
      .replace(/^[ \t]*(?:#{1,6}|[-*>+]|\d{1,2}\.)(?:[ \t]+|$)/gm, '')
      .replace(/\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, '$1')
      .replace(/!?\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
      .replace(/<\/?[a-z][^>]*>/gi, ' ')
      // Controls, and what is not seen or turns the direction of what follows.
      .replace(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, (sign) => (isJoiner(sign) ? sign : ' '))
      .replace(/`+/g, '')
      .replace(/(\*\*|__)(?=\S)([^*_]*)\1/g, '$2')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

/** Scripts and emoji are written with these. */
function isJoiner(sign: string): boolean {
  return sign === '\u200C' || sign === '\u200D';
}

/** At most `most` characters: whole sentences where that leaves half of it, otherwise whole words and a sign. */
export function cutAtSentence(text: string, most: number): string {
  if (text.length <= most) return text;
  const begun = text.slice(0, most);
  const ends = [...begun.matchAll(/[.!?…](?=["”’)\]]?\s)|[。！？]/g)];
  const end = (ends.at(-1)?.index ?? -1) + 1;
  return end >= most / 2 ? begun.slice(0, end) : cutAtWord(text, most);
}

export function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const begun = text.slice(0, most - 1);
  const space = begun.lastIndexOf(' ');
  const words = space > most / 2 ? begun.slice(0, space) : begun.replace(/[\uD800-\uDBFF]$/, '');
  return `${words.replace(/[\s,;:–—-]+$/, '')}…`;
}
