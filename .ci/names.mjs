/**
 * `node .ci/names.mjs` checks names. File names and exported names of the product must be unique,
 * so that a search finds one place; vague file names are banned; constants need upper case and a
 * unit. With `--subject` it also checks the subject of the newest commit.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './setup.mjs';

/** Names that say nothing about the contents of a file. */
const VAGUE_FILES = new Set([
  ...['acts', 'common', 'desk', 'ground', 'hand', 'helpers', 'lines', 'misc', 'news', 'room'],
  ...['standing', 'stuff', 'told', 'types', 'util', 'utils', 'way', 'words'],
]);

/** Prefixes to replace with MAX_ or MIN_. */
const VAGUE_CONSTANT = /^(?:MOST|LONGEST|LARGEST|DEEPEST|FEWEST|SHORTEST|LEAST)(?:_|$)/;

/** Names of durations, which must end with their unit. */
const DURATION = /(?:DELAY|TIMEOUT|INTERVAL|PAUSE|WITHIN|EVERY)$/;

/** The unit named at the start of a comment, and the suffix that the constant must have. */
const UNITS = [
  { word: /^\/\*\* Milliseconds\b/, ending: /_MS$/ },
  { word: /^\/\*\* Bytes\b/, ending: /_BYTES$/ },
];

const EXPORT =
  /^export (?:declare |abstract |async )*(?:type|interface|class|enum|const enum|const|let|function\*?) (\w+)/;

const files = execFileSync('git', ['ls-files'], { cwd: ROOT })
  .toString()
  .split('\n')
  .filter((file) => /\.(?:ts|svelte|mjs)$/.test(file));

/** @type {string[]} */
const problems = [];
/** @type {Map<string, string>} */
const places = new Map();

/**
 * @param {string} kind
 * @param {string} name
 * @param {string} file
 */
function takeOnce(kind, name, file) {
  const key = `${kind} ${name}`;
  const earlier = places.get(key);
  if (earlier === undefined) places.set(key, file);
  else problems.push(`${file}: the ${kind} name ${name} is taken by ${earlier}.`);
}

for (const file of files) {
  const isProduct = /^(?:src|components|stores)\//.test(file);
  const name = path.basename(file).replace(/(?:\.svelte|\.test)?\.ts$|\.svelte$|\.mjs$/, '');
  if (isProduct) takeOnce('file', name, file);
  // A component's file name is also the name it is imported by. Messages are imported as `t`.
  const exportsNames = isProduct && !/-messages\.ts$/.test(file);
  if (exportsNames && file.endsWith('.svelte')) takeOnce('exported', name, file);
  if (VAGUE_FILES.has(name)) problems.push(`${file}: ${name} does not say what is in the file.`);
  let comment = '';
  for (const line of readFileSync(path.join(ROOT, file), 'utf8').split('\n')) {
    const [, exported = ''] = EXPORT.exec(line) ?? [];
    if (exportsNames && exported !== '') takeOnce('exported', exported, file);
    const [, any = ''] = /^(?:export )?const ([A-Z][A-Z\d_]*)\b/.exec(line) ?? [];
    if (VAGUE_CONSTANT.test(any)) {
      problems.push(`${file}: ${any} should begin with MAX_ or MIN_ and end with its unit.`);
    }
    const [, constant = ''] = /^(?:export )?const (\w+) = [\d_* .]+;$/.exec(line) ?? [];
    if (isProduct && /[a-z]/.test(constant)) {
      problems.push(`${file}: ${constant} is a constant number and should be in upper case.`);
    }
    if (DURATION.test(constant)) {
      problems.push(
        `${file}: ${constant} is a duration and should end with its unit, such as _MS.`,
      );
    }
    for (const { word, ending } of UNITS) {
      if (constant !== '' && word.test(comment) && !ending.test(constant)) {
        problems.push(
          `${file}: ${constant} should end with its unit (${ending.source.slice(0, -1)}).`,
        );
      }
    }
    comment = line;
  }
}

/** Conventional Commits, short enough that no tool cuts the line. */
const SUBJECT =
  /^(?:build|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([a-z\d-]+\))?: [a-z].*[^.]$/;
const MAX_SUBJECT_CHARS = 72;
const isAsked = process.argv.includes('--subject');
const log = isAsked
  ? execFileSync('git', ['log', '-1', '--no-merges', '--format=%s'], { cwd: ROOT })
  : '';
const subject = log.toString().trim();
if (subject !== '' && (!SUBJECT.test(subject) || subject.length > MAX_SUBJECT_CHARS)) {
  problems.push(
    `Commit "${subject}": expected "type(scope): imperative" of at most ${MAX_SUBJECT_CHARS} characters.`,
  );
}

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
