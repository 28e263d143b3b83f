/**
 * Text in a note that does something by being there: other plugins execute it, or it loads from elsewhere, which also
 * tells elsewhere that it was read. Found by its loosest reading, also in code that shows it only: to ask once too
 * often costs a glance, and to miss one costs the vault.
 */
import { awake } from './running/awake';
import { commands, fences, formulas, inlineCode } from './running/code';
import { elements } from './running/elements';
import { images, pictureProperties } from './running/images';
import { links } from './running/links';
import type { Running } from './running/running';

/** What runs in `after` and did not, word for word, in `before`, or was only shown there. */
export function addedRunning(path: string, before: string, after: string): Running[] {
  const found = runningText(path, after);
  if (found.length === 0 || before === '') return found;
  const added = beyond(runningText(path, before), found);
  const woken = beyond(runningText(path, before, awake), runningText(path, after, awake));
  return [...added, ...beyond(added, woken)];
}

/** Those of `found` that are not among `known`, each counted as often as it is there. */
function beyond(known: readonly Running[], found: readonly Running[]): Running[] {
  const left = new Map<string, number>();
  for (const { text } of known) left.set(text, (left.get(text) ?? 0) + 1);
  return found.filter(({ text }) => {
    const same = left.get(text) ?? 0;
    left.set(text, same - 1);
    return same <= 0;
  });
}

/** @param part what of each text in the file is looked at */
export function runningText(
  path: string,
  text: string,
  part: (text: string) => string = (whole) => whole,
): Running[] {
  if (text === '') return [];
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const file = FILES_THAT_RUN.has(extension)
    ? [{ what: `a file of the kind .${extension}, which may be run`, text }]
    : [];
  const told = extension === 'canvas' ? canvasTexts(text) : [text];
  return [
    ...file,
    ...told.map(part).flatMap(inMarkdown),
    ...(extension === 'base' ? inBase(text) : []),
  ];
}

/** What plugins load as code, what opens as a page, and what systems start when a link to it is followed. */
const FILES_THAT_RUN: ReadonlySet<string> = new Set(
  `js mjs cjs jsx ts mts cts tsx html htm shtml xhtml xht mhtml mht svg css xml xsl xslt
   app appimage appref-ms applescript bash bat cmd com command cpl desktop exe fish hta inf jar jse jnlp lnk msc msi
   php pif pl ps1 psm1 py pyw rb reg scf scpt scr sh terminal tool url vb vbe vbs webloc workflow ws wsf wsh zsh`
    .trim()
    .split(/\s+/),
);

function inMarkdown(text: string): Running[] {
  return [
    ...(/[`~]{3}/.test(text) ? fences(text) : []),
    ...(text.includes('`') ? inlineCode(text) : []),
    ...(text.includes('<%') ? commands(text) : []),
    ...(text.includes('$') ? formulas(text) : []),
    ...(text.includes('<') ? elements(text) : []),
    ...(text.includes('![') ? images(text) : []),
    ...links(text),
    ...pictureProperties(text),
  ];
}

function inBase(text: string): Running[] {
  return [...text.matchAll(/^.*(?::\/\/|html\(|image\(|icon\().*$/gim)].map(([line]) => ({
    what: 'a formula that may load from elsewhere',
    text: line,
  }));
}

/** The texts of a canvas as its cards hold them; pages that it opens are texts that load. */
function canvasTexts(text: string): string[] {
  try {
    const { nodes } = JSON.parse(text) as { nodes?: unknown };
    if (!Array.isArray(nodes)) return [text];
    return nodes.flatMap((node: { type?: unknown; text?: unknown; url?: unknown } | null) => {
      if (node === null || typeof node !== 'object') return [];
      const words = typeof node.text === 'string' ? [node.text] : [];
      const page = typeof node.url === 'string' ? [`<iframe src="${node.url}">`] : [];
      return [...words, ...page];
    });
  } catch {
    return [text];
  }
}
