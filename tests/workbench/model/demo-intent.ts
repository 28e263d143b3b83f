/** Recognizes what the user wants from the form of the sentence. */

export type Intent =
  | { readonly kind: 'add'; readonly what: string; readonly target: string; readonly list: boolean }
  | {
      readonly kind: 'take-off';
      readonly what: string;
      readonly target: string;
      readonly tick: boolean;
    }
  | {
      readonly kind: 'create';
      readonly title: string;
      readonly text: string;
      readonly folder: string | undefined;
    }
  | { readonly kind: 'find'; readonly topic: string }
  /** A question about one note; an empty topic means its main points. */
  | { readonly kind: 'about'; readonly target: string; readonly topic: string }
  /** A question that may be about the note that is open, attached or linked. */
  | { readonly kind: 'question'; readonly words: string }
  /** The notes changed today (0) or in the last days. */
  | { readonly kind: 'recent'; readonly days: number }
  | { readonly kind: 'tour' }
  | { readonly kind: 'show'; readonly target: string }
  | { readonly kind: 'rename'; readonly source: string; readonly name: string }
  | { readonly kind: 'move'; readonly source: string; readonly folder: string }
  | { readonly kind: 'delete'; readonly target: string }
  /** New wording for a note or a part of it. */
  | { readonly kind: 'rewrite' }
  | { readonly kind: 'other' };

type Rule = readonly [RegExp, (...groups: string[]) => Intent];

const MY = '(?:the |my |our |your )?';

const RULES: readonly Rule[] = [
  [
    /^(?:add|create|make)(?: me)?(?: an?)?(?: new)? (?:task|to-?do|reminder)(?: to|:)? (.+)$/is,
    (what) => adding(what, 'todo list'),
  ],
  [
    /^(?:what(?:'s|’s| is) (?:on|in) (?:my |the |our )?|(?:show|read|tell) me (?:the |my |our )|read (?:out )?(?:the |my |our ))(.+ list|to-?dos?|tasks|groceries)$/is,
    (target) => ({ kind: 'show', target: plain(target) }),
  ],
  [
    /^(?:start|create|make)(?: me)?(?: an?)?(?: new)? (.+ list) (?:with|of|for) (.+)$/is,
    (target, what) => adding(what, target),
  ],
  [
    /^(?:what(?:'s|’s| is) in (?:this|my|the) vault\b|(?:give|show) me (?:a|the) (?:short |quick )?tour\b).*$/is,
    () => ({ kind: 'tour' }),
  ],
  [
    /^(?:review my day\b.*|what (?:did|have) (?:i|we) (?:write|written|worked? on|changed?|noted?)(?: or change)?(?: about)?(?: in| over| during)?(?: the| my)? *(today|this week|recently|lately|(?:last|past) .*(?:days?|weeks?)).*)$/is,
    (when) => ({ kind: 'recent', days: /^(?:today)?$/i.test(when) ? 0 : 7 }),
  ],
  [
    /^(?:what are the (?:main|key|most important) points (?:of|in)|what(?:'s|’s| is) in (?:the note |(?=\[\[))) ?(.+)$/is,
    (target) => asking(target),
  ],
  [
    /^(?:summari[sz]e|give me a summary of) (?!(?:all|my|the|our) notes\b|everything\b)(.+?)(?::.*)?$/is,
    (target) => asking(target),
  ],
  [
    /^what does (?!my\b|the vault\b)(.+?) say(?: (?:about|on) (.+))?$/is,
    (target, topic) => asking(target, topic),
  ],
  [
    /^(?:create|make|start|write|add|open|new)(?: me)?(?: an?)?(?: new)? (?:note|page|file)(?: about| on| called| named| titled| for|:)? (.+)$/is,
    creating,
  ],
  [
    /^rename (?:the )?(?:note |file )?(.+?) (?:to|as|into) (.+)$/is,
    (source, name) => ({
      kind: 'rename',
      source: plain(source),
      name: unquoted(name),
    }),
  ],
  [
    /^(?:move|put|file) (?:the )?(?:note )?(.+?) (?:to|into|in|under) (?:the |my )?(?:folder (.+)|(.+) folder|(.+\/.*))$/is,
    (source, one, other, path) => moving(source, one || other || path || ''),
  ],
  [/^move (?:the )?(?:note )?(.+?) (?:to|into|in|under) (?:the |my )?(.+)$/is, moving],
  [
    new RegExp(`^(?:tick|check|cross)(?: off)? (.+?)(?: off)? (?:on|from|off|in) ${MY}(.+)$`, 'is'),
    (what, target) => takingOff(what, target, true),
  ],
  [
    new RegExp(`^mark (.+?) (?:as )?(?:done|bought|finished) (?:on|in) ${MY}(.+)$`, 'is'),
    (what, target) => takingOff(what, target, true),
  ],
  [
    new RegExp(`^(?:remove|delete|take|strike) (.+?)(?: off)? (?:from|off|on) ${MY}(.+)$`, 'is'),
    (what, target) => takingOff(what, target, false),
  ],
  [
    /^(?:delete|remove|trash|erase|throw away|get rid of) (?:the |my )?(.+)$/is,
    (target) => ({ kind: 'delete', target: plain(target) }),
  ],
  [
    /^find (?:the )?notes related to (.+?)(?:[.:] .*)?$/is,
    (target) => ({ kind: 'find', topic: plain(target) }),
  ],
  [/^fix (?:the )?(?:spelling|grammar|writing)\b.*$/is, () => ({ kind: 'rewrite' })],
  [
    /^(?:find|search(?: for)?|look (?:up|for)|show me|what (?:do|does) (?:my notes|my vault|i|we) (?:say|know|have|think) (?:about|on)|what did i (?:write|say) about|where did i (?:write|mention)(?: about)?|which notes (?:are about|mention)|tell me (?:about|what my notes say about)|summari[sz]e|give me a summary of) (.+)$/is,
    (topic) => ({ kind: 'find', topic: topicOf(topic) }),
  ],
  [
    new RegExp(
      `^(?:add|put|append|write|jot(?: down)?|note(?: down)?) (.+) (?:to|on|onto|in|into|under) ${MY}(.+)$`,
      'is',
    ),
    adding,
  ],
  [/^(?:buy|we need|i need|we are out of) (.+)$/is, (what) => adding(what, 'shopping list')],
  [/^remind me to (.+)$/is, (what) => adding(what, 'todo list')],
];

export function intentOf(said: string): Intent {
  const sentence = withoutCourtesy(said);
  for (const [pattern, intent] of RULES) {
    const match = pattern.exec(sentence);
    if (match) return intent(...match.slice(1).map((group) => group ?? ''));
  }
  return isQuestion(said, sentence) ? { kind: 'question', words: sentence } : { kind: 'other' };
}

const QUESTION_WORD =
  /^(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|does|do|did|has|have|should)\b/i;

function isQuestion(said: string, sentence: string): boolean {
  return QUESTION_WORD.test(sentence) || /\?\s*$/.test(said);
}

function withoutCourtesy(said: string): string {
  return said
    .trim()
    .replace(/^(?:(?:hey|hi|hello|ok|okay)\b[,! ]*)?(?:(?:miss )?simone\b[,: ]*)?/i, '')
    .replace(/^(?:please|kindly)[, ]+/i, '')
    .replace(/^(?:can|could|would|will) you (?:please )?/i, '')
    .replace(/^i(?:'d| would) like (?:you )?to /i, '')
    .replace(/[\s,]*(?:please|thanks|thank you|for me)?[\s.!?]*$/i, '')
    .trim();
}

function adding(what: string, target: string): Intent {
  const list = /\b(?:list|todos?|to-?dos?|tasks?|groceries)\b/i.test(target);
  return { kind: 'add', what: unquoted(what), target: plain(target), list };
}

function asking(target: string, topic = ''): Intent {
  const name = unquoted(target).replace(/^(?:the |my )?(?:note|file) (?:called |named )?/i, '');
  return { kind: 'about', target: name.replace(/^\[\[|\]\]$/g, '').trim(), topic };
}

function takingOff(what: string, target: string, tick: boolean): Intent {
  return {
    kind: 'take-off',
    what: unquoted(what.replace(/^the /i, '')),
    target: plain(target),
    tick,
  };
}

function moving(source: string, folder: string): Intent {
  return {
    kind: 'move',
    source: plain(source),
    folder: unquoted(folder)
      .replace(/^folder | folder$/gi, '')
      .replace(/\/+$/, ''),
  };
}

function creating(rest: string): Intent {
  const inFolder =
    /^(.*?) in (?:the |my )?(?:folder ([^,:]+?)|([^,:]+?) folder|(\S+\/\S*))( (?:with|saying|that says)\b.*|:.*)?$/is;
  const placed = inFolder.exec(rest);
  const folder = placed?.[2] ?? placed?.[3] ?? placed?.[4];
  const words = placed ? `${placed[1]}${placed[5] ?? ''}` : rest;
  const split =
    /^(.+?)(?:\s+(?:with(?: the text)?|saying|that says|containing)\s+|:\s+)(.+)$/is.exec(words);
  return {
    kind: 'create',
    title: capital(unquoted(split?.[1] ?? words).replace(/^(?:called|named|about) /i, '')),
    text: unquoted(split?.[2] ?? ''),
    folder: folder?.replace(/\/+$/, ''),
  };
}

function topicOf(words: string): string {
  return unquoted(words)
    .replace(
      /^(?:me )?(?:everything|all|anything|something)(?: i (?:know|wrote))?(?: about| on)? /i,
      '',
    )
    .replace(/^(?:(?:all )?(?:of )?(?:my |the )?notes? (?:on|about|that mention|mentioning) )/i, '')
    .replace(/^(?:the |my )/i, '')
    .replace(/ (?:in|from) (?:my|the) (?:notes|vault)$/i, '')
    .replace(/ (?:note|notes)$/i, '');
}

/** A possible note name: without quotes, brackets, or the word "note", "file" or "page". */
function plain(name: string): string {
  return unquoted(name)
    .replace(/^(?:note|file) (?:called |named )?/i, '')
    .replace(/ (?:note|file|page)$/i, '')
    .replace(/^\[\[|\]\]$/g, '')
    .trim();
}

export function unquoted(text: string): string {
  return text
    .trim()
    .replace(/^["'“”‘’`]+|["'“”‘’`]+$/g, '')
    .trim();
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/**
 * Splits "eggs, bread and milk" into three items; tasks are only split at commas and semicolons.
 */
export function things(text: string, tasks: boolean): string[] {
  const separator = tasks ? /\s*[,;]\s*(?:and\s+)?/ : /\s*[,;]\s*(?:and\s+)?|\s+and\s+|\s*&\s*/i;
  return text
    .split(separator)
    .map((one) => unquoted(one).replace(/^(?:some|a few|an?)\s+(?=\S)/i, ''))
    .filter((one) => one !== '');
}
