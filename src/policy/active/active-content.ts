/**
 * Finds active content: text in a note that other plugins execute, or that loads from elsewhere and
 * so reveals that it was read. When in doubt, text counts as active: asking needlessly costs a
 * glance, and missing active content can cost the vault. Code counts as inactive only where every
 * parser shows it.
 */
import { mayDiagramLoad } from '#text/embedded-languages';
import { splitNote } from '#text/front-matter';
import { lineTexts } from '#text/list-diff';
import { Budget, BudgetExceeded, nextPlace } from './budget';
import { activeElements } from './elements';
import { reachingFormulas } from './formulas';
import { areRiskyTasks } from './languages';
import { activeLinks } from './links';
import { BLANK, isBlankLine } from './inline-code';
import { canvasTexts } from './canvas-texts';
import { drawingContent, embeddedFiles } from './drawings';
import { mayRun } from './files-that-run';
import { readProperties } from './properties';
import { isExpression, isRiskyBase, isRiskyExpression } from './queries';
import { activeRanges } from './inactive-text';
import { type FencedBlock, shownCode } from './shown-code';
import { hostOf, type ActiveContent } from './targets';

/**
 * Returns the active content of `after` that is not in `before` word for word, or that was inactive
 * there.
 */
export function addedActiveContent(path: string, before: string, after: string): ActiveContent[] {
  if (before === after) return [];
  const found = activeContent(path, after);
  if (found.length === 0 || before === '') return found;
  const added = beyond(activeContent(path, before), found);
  if (found.some(({ what }) => what === TOO_MUCH)) return added;
  const woken = beyond(
    activeContent(path, before, activeRanges),
    activeContent(path, after, activeRanges),
  );
  return [...added, ...beyond(added, woken)];
}

/** Entries of `found` that are not in `known`, counting repetitions. */
function beyond(known: readonly ActiveContent[], found: readonly ActiveContent[]): ActiveContent[] {
  const left = new Map<string, number>();
  for (const { text } of known) left.set(text, (left.get(text) ?? 0) + 1);
  return found.filter(({ text }) => {
    const same = left.get(text) ?? 0;
    left.set(text, same - 1);
    return same <= 0;
  });
}

/** Longer text is not checked, because that would take noticeable time. */
const MAX_CHECKED_CHARS = 1_000_000;

/** @param part selects the part of each text to check */
export function activeContent(
  path: string,
  text: string,
  part: (text: string) => string = (whole) => whole,
): ActiveContent[] {
  if (text === '') return [];
  if (text.length > MAX_CHECKED_CHARS) return [{ what: TOO_MUCH, text }];
  try {
    return contentOf(path, normalized(text), part);
  } catch (error) {
    if (error instanceof BudgetExceeded) return [{ what: TOO_MUCH, text }];
    throw error;
  }
}

/** As parsers read it: without a byte order mark, and with one kind of line ending. */
function normalized(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

const TOO_MUCH = 'text that is too long or too intricate to be checked';

function contentOf(path: string, text: string, part: (text: string) => string): ActiveContent[] {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const budget = new Budget();
  const file = mayRun(path)
    ? [{ what: `a file of the kind .${extension}, which may be run`, text }]
    : [];
  const texts = extension === 'canvas' ? canvasTexts(text).map(normalized) : [text];
  return [
    ...file,
    ...texts.map(part).flatMap((each) => inMarkdown(each, budget)),
    ...(extension === 'base' && isRiskyBase(text) ? [{ what: BASE, text }] : []),
    ...(/\.excalidraw(?:\.md)?$/i.test(path) ? drawingContent(text) : []),
  ];
}

const BASE = 'formulas of a base that may load from elsewhere';

function inMarkdown(text: string, budget: Budget): ActiveContent[] {
  const { head, yaml } = splitNote(text);
  const { rest, blocks, contents } = shownCode(text.slice(head.length), budget);
  // Quote marks may be within a tag or a link that goes on in the next line.
  const shown =
    head +
    rest
      .replace(/^[ \t]*>[ \t>]*$/gm, (line) => (isBlankLine(line) ? '' : BLANK))
      .replace(/^[ \t]*>[ \t>]*/gm, '');
  const { images, acts } = activeLinks(shown, budget);
  return [
    ...activeCode(blocks, [...contents, ...elementContents(shown)], budget),
    ...templateCommands(text).map((each) => ({
      what: 'a template command (`<% … %>`)',
      text: each,
    })),
    ...reachingFormulas(shown, budget).map((each) => ({
      what: 'a formula that links or loads',
      text: each,
    })),
    ...activeElements(shown, budget).map(({ name, text: each }) => ({
      what: `an HTML element \`<${name}>\``,
      text: each,
    })),
    ...images.map((target) => ({
      what: `an image from ${hostOf(target.replace(/^\]:\s*/, ''))}`,
      text: target,
    })),
    ...acts.map((each) => ({ what: 'a link that makes a program act', text: each })),
    ...(yaml === null ? [] : inProperties(lineTexts(yaml).join('\n'), text, budget)),
    ...embeddedFiles(shown),
  ];
}

function activeCode(
  blocks: readonly FencedBlock[],
  contents: readonly string[],
  budget: Budget,
): ActiveContent[] {
  return [
    ...blocks
      .filter((block) => isActive(block, budget))
      .map((block) => ({
        what: `a block of \`${block.language}\``,
        text: block.text,
      })),
    ...contents.filter(isActiveCode).map((each) => ({ what: 'code in a line', text: each })),
  ];
}

function isActive({ language, text }: FencedBlock, budget: Budget): boolean {
  switch (language.toLowerCase()) {
    case 'ai-edit':
      return false;
    case 'mermaid':
      return mayDiagramLoad(contentOfBlock(text));
    case 'base':
      return isRiskyBase(contentOfBlock(text));
    case 'dataview':
      return isRiskyExpression(contentOfBlock(text));
    case 'svg':
      return MARKUP.test(text) || activeElements(contentOfBlock(text), budget).length > 0;
    case 'tasks':
      return areRiskyTasks(text);
    default:
      return true;
  }
}

/** Declarations and instructions of XML, which may load or hide what loads. */
const MARKUP = /<!(?!--)|<\?(?!xml\s)/i;

/** The lines of a block without its fences and quote marks. */
function contentOfBlock(text: string): string {
  const lines = text.split('\n').slice(1);
  if (/^[ \t>]*(?:`{3,}|~{3,})[ \t]*$/.test(lines.at(-1) ?? '')) lines.pop();
  return lines.map((line) => line.replace(/^[ \t]*>[ \t>]*/, '')).join('\n');
}

/** Inline code that Dataview or Meta Bind executes. */
function isActiveCode(content: string): boolean {
  if (/^(?:\$=\s*\S|(?:BUTTON|VIEW|INPUT|EMBED)\[|js-engine\b)/.test(content)) return true;
  if (!/^=(?!=)/.test(content)) return false;
  const expression = content.slice(1);
  return isExpression(expression) && isRiskyExpression(expression);
}

/** What the elements `<code>` contain, up to their end or the next tag. */
function elementContents(text: string): string[] {
  const tagEnd = nextPlace(text, '>');
  const nextTag = nextPlace(text, '<');
  return Array.from(text.matchAll(/<code(?![a-z])/gi)).flatMap(({ index }) => {
    const from = tagEnd(index) + 1;
    if (from > text.length) return [];
    // Entities may stand for the characters that Dataview looks for.
    const content = text.slice(from, nextTag(from)).trimStart();
    return [content.slice(0, 20).replace(DOLLAR, '$').replace(EQUALS, '=') + content.slice(20)];
  });
}

const DOLLAR = /^&(?:#0*36|#x0*24|dollar)\b;?/i;
const EQUALS = /(?<=^\$?)&(?:#0*61|#x0*3d|equals)\b;?/i;

function templateCommands(text: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf('<%'); at >= 0; at = text.indexOf('<%', at)) {
    const end = text.indexOf('%>', at);
    const next = end < 0 ? text.length : end + 2;
    found.push(text.slice(at, next));
    at = next;
  }
  return found;
}

function inProperties(front: string, text: string, budget: Budget): ActiveContent[] {
  const { pictures, decoded, code, names, instructions, isCertain } = readProperties(front);
  const unclear = isCertain
    ? []
    : [{ what: 'properties that may load from elsewhere', text: front }];
  return [
    ...unclear,
    ...pictures.map(({ keys, value, source }) => ({
      what: `an image from ${hostOf(value)}`,
      text: `${keys.join('.')}: ${source}`,
    })),
    ...code.flatMap((value) => {
      const { blocks, contents } = shownCode(normalized(value), budget);
      return activeCode(blocks, contents, budget);
    }),
    ...decoded.map(normalized).flatMap((value) => [
      ...activeElements(value, budget).map(({ name, text: each }) => ({
        what: `an HTML element \`<${name}>\``,
        text: each,
      })),
      ...activeLinks(value, budget).images.map((target) => ({
        what: `an image from ${hostOf(target)}`,
        text: target,
      })),
    ]),
    ...instructions.map(({ keys, source }) => ({
      what: 'instructions of the Tasks plugin that run code',
      text: `${keys.join('.')}: ${source}`,
    })),
    // YAML has more ways to write a name than are read here.
    ...(/excalidraw/i.test(`${front} ${names.join(' ')}`) ? drawingContent(text) : []),
  ];
}
