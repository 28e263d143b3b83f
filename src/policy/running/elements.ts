/** HTML in a note that loads or runs. */
import type { Running } from './running';
import { isOfTheVault, isPlainLink } from './targets';

/** Elements that load or run whatever their attributes are, and those that need some for it. */
const LOADS = /^(?:iframe|frame|frameset|script|style|embed|applet|portal|webview)$/;
const LOADS_WHAT_IT_NAMES = /^(?:object|link|base|meta|form)$/;

const WITH_CONTENT = /^(?:script|style|object)$/;

/** Longer than any that people write. */
const LONGEST_ELEMENT = 2_000;

export function elements(text: string): Running[] {
  const found: Running[] = [];
  for (const { 0: opening, 1: written = '', index } of text.matchAll(/<([a-z][\w:-]*)/gi)) {
    const name = written.toLowerCase();
    const rest = text.slice(index + opening.length, index + opening.length + LONGEST_ELEMENT);
    // Whether a quote hides the `>` behind it depends on who reads: what either reading finds counts.
    const quoted = /^(?:"[^"]*"|'[^']*'|[^<>"'])*/.exec(rest)?.[0] ?? '';
    const bare = /^[^>]*/.exec(rest)?.[0] ?? '';
    const loads =
      LOADS.test(name) ||
      (LOADS_WHAT_IT_NAMES.test(name) && quoted.trim() !== '') ||
      [quoted, bare].some((each) => ATTRIBUTE.test(each) || leadsAway(name, each));
    if (!loads) continue;
    const longer = quoted.length > bare.length ? quoted : bare;
    found.push({
      what: `an HTML element \`<${name}>\``,
      text:
        opening +
        (WITH_CONTENT.test(name) ? contentOf(name, text.slice(index + opening.length)) : longer),
    });
  }
  return found;
}

function contentOf(name: string, rest: string): string {
  const end = rest.search(new RegExp(`</${name}\\b`, 'i'));
  return end < 0 ? rest : rest.slice(0, end);
}

const ATTRIBUTE =
  /[\s"'/](?:on[a-z]+|src|srcset|srcdoc|poster|background|data|action|formaction|ping|xlink:href|cite|lowsrc|dynsrc|manifest|profile|codebase|archive|classid|longdesc|usemap)\s*=|style\s*=[^]*(?:url|image|import|\\|&)/i;

/** What a link names waits for a click; what a picture names is loaded. */
function leadsAway(name: string, attributes: string): boolean {
  const href = /[\s"'/]href\s*=\s*("[^"]*"|'[^']*'|[^\s>]*)/i.exec(` ${attributes}`)?.[1];
  if (href === undefined) return false;
  const target = href.replace(/^["']|["']$/g, '');
  return name === 'a' || name === 'area' ? !isPlainLink(target) : !isOfTheVault(target);
}
