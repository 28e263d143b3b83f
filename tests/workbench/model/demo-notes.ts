/** The demo model's note skills: create, find, rename, move, delete. */
import { escaped, folderOf, linkTo, locate, nameOf, pathsIn, stem, wordsOf } from './demo-finding';
import { capital, type Intent } from './demo-intent';
import { done, failed, listed, notDone, resultText } from './demo-lists';
import { extract, marked, readable } from './demo-sentences';
import type { Ability, DemoTurn } from './demo-turn';

type Of<Kind extends Intent['kind']> = Extract<Intent, { kind: Kind }>;

export function* create({ title, text, folder }: Of<'create'>): Ability {
  const name = fileName(title);
  const body = text === '' ? '' : `\n${capital(text)}\n`;
  const content = `# ${title}\n${body}`;
  const path = folder === undefined ? `${name}.md` : `${folder}/${name}.md`;
  const [written] = yield {
    why: `A new note, ${name}${folder === undefined ? '' : ` in ${folder}`}.`,
    plan: [`Create ${name}`],
    doing: 0,
    calls: [{ name: 'write_file', input: { content, path } }],
  };
  if (written?.isError) return failed(`I could not create ${name}`, written.text);
  const where = folder === undefined ? '' : ` in ${folder}`;
  const begun = text === '' ? ', with nothing but its title yet' : '';
  return done(`${resultText(written?.text)}created ${linkTo(name)}${where}${begun}.`);
}

export function* find({ topic }: Of<'find'>): Ability {
  const words = wordsOf(topic).filter((word) => word.length > 2);
  const wanted = (words.length > 0 ? words : wordsOf(topic)).map(stem);
  const [hits, named] = yield {
    why: `I search the notes for ${topic}.`,
    plan: [`Search for ${topic}`, 'Read what fits best', 'Sum it up'],
    doing: 0,
    calls: [
      {
        name: 'search_files',
        input: { pattern: wanted.map(escaped).join('|'), context_lines: 0, max_results: 40 },
      },
      {
        name: 'list_files',
        input: {
          pattern: `*${wanted.map((word) => word.replace(/[^\p{L}\p{N}]/gu, '?')).join('*')}*`,
        },
      },
    ],
  };
  if (hits?.isError && named?.isError) return failed('The search failed', hits.text);
  const names = named?.isError ? [] : pathsIn(named?.text ?? '');
  const found = [...new Set([...names, ...(hits?.isError ? [] : pathsIn(hits?.text ?? ''))])];
  const best = found
    .filter((path) => !/^templates?\//i.test(path))
    .map((path) => ({ path, score: relevance(path, hits?.text ?? '', wanted) }))
    .sort((one, other) => other.score - one.score)
    .slice(0, 3)
    .map(({ path }) => path);
  if (best.length === 0) return done(`I found nothing about ${topic} in your notes.`);
  const read = yield {
    why: `I read ${listed(best.map(nameOf))}.`,
    doing: 1,
    calls: best.map((path) => ({ name: 'read_file', input: { path } })),
  };
  const parts = best.flatMap((path, at) => {
    const result = read[at];
    if (!result || result.isError) return [];
    const lines = extract(readable(result.text), wanted);
    return lines.length > 0
      ? [`- ${linkTo(path)}: ${lines.map((quote) => marked(quote, path)).join(' ')}`]
      : [`- ${linkTo(path)}`];
  });
  if (parts.length === 0) return notDone('I found notes on it, but could not read them.');
  const more = found.length > best.length ? ` (${found.length - best.length} more mention it)` : '';
  return done(
    `What your notes say about ${topic}${more}, in their own words:\n\n${parts.join('\n')}`,
  );
}

export function* rename({ source, name }: Of<'rename'>, turn: DemoTurn): Ability {
  return yield* moved(source, turn, `Rename ${source}`, (path) => {
    const folder = folderOf(path);
    const file = name.includes('/')
      ? name
      : `${folder === '' ? '' : `${folder}/`}${fileName(name)}`;
    return /\.\w{2,6}$/.test(file) ? file : `${file}.md`;
  });
}

export function* move({ source, folder }: Of<'move'>, turn: DemoTurn): Ability {
  return yield* moved(source, turn, `Move ${source} to ${folder}`, (path) => {
    const file = path.split('/').at(-1) ?? path;
    return `${folder}/${file}`;
  });
}

function* moved(
  source: string,
  turn: DemoTurn,
  goal: string,
  destinationOf: (path: string) => string,
): Ability {
  const found = yield* locate({
    name: source,
    activeNote: turn.activeNote,
    why: `I look for "${source}" first.`,
    plan: [`Find ${source}`, goal],
    question: `Which note is meant by "${source}"?`,
  });
  if (found.path === undefined) return notFound(source);
  const destination = destinationOf(found.path);
  if (destination === found.path) return done(`${linkTo(found.path)} is there already.`);
  const [result] = yield {
    why: 'Links to it are kept by the move.',
    doing: 1,
    calls: [{ name: 'move', input: { source: found.path, destination } }],
  };
  if (result?.isError) return failed(`I could not move ${linkTo(found.path)}`, result.text);
  return nameOf(destination) === nameOf(found.path)
    ? done(`I moved ${linkTo(destination)} to ${folderOf(destination)}.`)
    : done(`I renamed ${nameOf(found.path)} to ${linkTo(destination)}.`);
}

export function* remove({ target }: Of<'delete'>, turn: DemoTurn): Ability {
  if (turn.deleted !== undefined && /^(?:it|that|that one)$/i.test(target)) {
    return notDone(
      `I deleted ${nameOf(turn.deleted)} before. To delete another note, tell me its name.`,
    );
  }
  const found = yield* locate({
    name: target,
    activeNote: turn.activeNote,
    why: `I look for "${target}" first.`,
    plan: [`Find ${target}`, `Delete ${target}`],
    question: `Which note shall be deleted?`,
  });
  if (found.path === undefined) return notFound(target);
  const [result] = yield {
    why: 'You will be asked before it goes.',
    doing: 1,
    calls: [{ name: 'delete', input: { path: found.path } }],
  };
  const text = result?.text ?? '';
  if (/\b(?:kept|keep|denied|declined|not deleted|not done|did not want)\b/i.test(text)) {
    return notDone(`${linkTo(found.path)} was kept.`);
  }
  if (result?.isError) return failed(`I could not delete ${linkTo(found.path)}`, text);
  return done(`I deleted ${nameOf(found.path)} (${found.path}).`);
}

function notFound(name: string) {
  return notDone(`I found no note that could be "${name}", so I changed nothing.`);
}

function fileName(title: string): string {
  return title
    .replace(/\.md$/i, '')
    .replace(/[\\/:*?"<>|#^[\]]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[. ]+$/, '')
    .slice(0, 80);
}

/** Words in the name count most, then distinct words in the excerpts, then their number. */
function relevance(path: string, hits: string, wanted: readonly string[]): number {
  const name = nameOf(path).toLowerCase();
  const from = hits.indexOf(path);
  const rest = from < 0 ? '' : hits.slice(from + path.length);
  const until = rest.search(/\n\S[^\n]*\.md\b/);
  const excerpt = (until < 0 ? rest : rest.slice(0, until)).toLowerCase();
  return wanted.reduce(
    (sum, word) =>
      sum +
      (name.includes(word) ? 10 : 0) +
      (excerpt.includes(word) ? 5 : 0) +
      Math.min(4, excerpt.split(word).length - 1),
    0,
  );
}
