/**
 * `npm run counts [FOLDER]`: counts the places that implement an idea which has one home. Fails if
 * an idea appears outside its home and its exceptions, so that nobody builds it a second time.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { ROOT } from './setup.mjs';

/**
 * @typedef {object} Idea
 * @property {string} name
 * @property {string[]} homes files or folders where the idea belongs
 * @property {RegExp} [literal] matches the regular expressions in the code that show the idea
 * @property {RegExp} [source] matches lines of the code that show the idea
 * @property {(code: string) => number[]} [find] offsets in the code that show the idea
 * @property {Record<string, string>} [exceptions] files or folders that may have it too, and why
 */

const SEEN = {
  'src/model/edit/marked-parts.ts': 'It finds what an editor may hide, and may find too much.',
};

const EDITS = {
  ...SEEN,
  'src/model/edit/edit-block.ts': 'It reads blocks also as other programs have changed them.',
  'src/model/edit/note-sections.ts': 'It finds what may change how other lines are read.',
  'src/obsidian/editor/block-places.ts': 'It finds what may change how other lines are read.',
};

/** @type {Idea[]} */
const IDEAS = [
  {
    name: 'front matter',
    homes: ['src/text/'],
    literal: /^\/\^[^\]]*-{3}/,
  },
  {
    name: 'fences',
    homes: ['src/text/'],
    literal: /`{3}|`\{3|~{3}|~\{3/,
    exceptions: EDITS,
  },
  {
    name: 'headings',
    homes: ['src/text/'],
    literal: /#\{1,6\}|\^#\+/,
    exceptions: EDITS,
  },
  {
    name: 'list marks',
    homes: ['src/text/'],
    literal: /\[(?:-\*\+|\*\+-|-\+\*|\*-)\]/,
    exceptions: {
      ...EDITS,
      'components/tool/pattern-words.ts': 'It describes regular expressions that match them.',
    },
  },
  {
    name: 'tasks',
    homes: ['src/text/'],
    literal: /\\\[\(?(?:\.|\[ xX\]|\[\^\\\]\])\)?\\\]/,
    exceptions: SEEN,
  },
  {
    name: 'links',
    homes: ['src/text/'],
    literal: /\\\[\\\[|\\\]\\\(/,
    exceptions: {
      ...SEEN,
      'components/edits/change/hidden-source.ts': 'It takes brackets off parts of a link.',
      'src/tools/librarian/unmatched-glob.ts': 'It finds links written as regular expressions.',
    },
  },
  {
    name: 'words of Chinese and Japanese',
    homes: ['src/text/'],
    literal: /Han\}/,
    exceptions: {
      'src/tools/reader/get-file-info.ts': 'It counts words exactly as Obsidian does.',
    },
  },
  {
    name: 'diffs and alignments',
    homes: ['src/text/'],
    source:
      /^(?:export )?(?:async )?(?:function|const|class) \w*(?:[dD]iff(?:s|Lists)?|[aA]lign\w*)\b|from 'diff\b/,
    exceptions: {
      'src/tools/editor/edit/diff-text.ts': 'It prints a diff for the model.',
      'components/edits/change/align.ts': 'It pairs drawn blocks by the shared diffs.',
      'components/edits/change/source-diff.ts': 'It pairs drawn lines by the shared diffs.',
    },
  },
  { name: 'serial queues', homes: ['src/ports/serial-queue.ts'], find: chainedPromises },
  { name: 'time slices', homes: ['src/ports/slices.ts'], source: /\bSLICE_MS\s*=/ },
  {
    name: 'retries with delays',
    homes: ['src/ports/retry.ts'],
    source: /(?:backoff|longest|DELAY_MS,).* 2 \*\* |DELAYS_MS\[/,
  },
  {
    name: 'lines of JSON',
    homes: ['src/ports/line-file.ts'],
    source: /`(?:\\n)?\$\{JSON\.stringify\(.*\}\\n`/,
  },
  {
    name: 'readers of visibility',
    homes: ['src/policy/'],
    source: /\b(?:excludedReason|protectedReason)\(/,
    exceptions: {
      'src/app/app-context.ts': 'It guards symbolic links before any vault is read.',
    },
  },
  {
    name: 'words of a change',
    homes: ['src/messages/'],
    source: /\b(?:Created|Changed|Deleted|Moved|Renamed|Undone|Undid|Proposed) \$\{/,
    exceptions: {
      'src/tools/manager/delete.ts': 'It tells the model what a deletion left behind.',
      'src/tools/manager/move.ts': 'It tells the model what a move did to links.',
    },
  },
  {
    name: 'defaults of settings',
    homes: ['src/model/settings.ts'],
    source: /\bDEFAULT_SETTINGS\.|\?\? DEFAULT_SETTINGS/,
  },
  {
    name: 'classes beside a port',
    homes: ['src/app/api/', 'src/policy/vault-api.ts'],
    source: /^export class \w+Api\b/,
  },
  {
    name: 'spread dependencies',
    homes: [],
    source: /\.\.\.(?:this\.#)?deps\b(?!\.)/,
    exceptions: {
      'src/obsidian/': 'It adds the app to what widgets and views get.',
      'src/queue/mcp-calls.ts': 'It adds callbacks for the conversations of clients.',
      'src/queue/runner.ts': 'It makes the context that the parts of the queue share.',
    },
  },
  {
    name: 'other words for a reason',
    homes: [],
    source: /\bok: false[,;] (?:readonly )?(?:problem|why|fault)\b/,
  },
  ...['noteName', 'nameOf', 'inWords', 'listed', 'oneLine', 'counted', 'isWithin', 'parentOf'].map(
    (name) => ({
      name: `\`${name}\``,
      homes: ['src/text/', 'src/messages/'],
      source: new RegExp(`^ *(?:export )?(?:function ${name}\\(|const ${name} = \\()`),
    }),
  ),
];

/**
 * Fields that begin as a settled promise and that later work is chained to, and such promises for
 * each key of a map.
 *
 * @returns {number[]} offsets
 */
function chainedPromises(/** @type {string} */ code) {
  const fields = [...code.matchAll(/(#\w+)(?:: Promise<[^=]*>)? = Promise\.resolve\(/g)];
  const chained = fields.filter(([, name]) =>
    new RegExp(`(?:= |return |await )\\(?this\\.${name}(?: = this\\.${name})?\\.then\\(`).test(
      code,
    ),
  );
  const keyed = [...code.matchAll(/\.get\(\w+\) \?\? Promise\.resolve\(\)\)\.then\(/g)];
  return [...chained, ...keyed].map(({ index }) => index);
}

const root = path.resolve(process.argv[2] ?? ROOT);

/** @returns {string[]} */
function filesIn(/** @type {string} */ folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesIn(name);
    return /\.(?:ts|svelte)$/.test(name) ? [name] : [];
  });
}

/** The code of a file: of a component its scripts, with their line numbers. */
function codeOf(/** @type {string} */ file) {
  const text = readFileSync(path.join(root, file), 'utf8');
  if (!file.endsWith('.svelte')) return text;
  const parts = text.split(/(<script[^>]*>|<\/script>)/);
  return parts
    .map((part, at) => (parts[at - 1]?.startsWith('<script') ? part : part.replace(/[^\n]+/g, '')))
    .join('');
}

/** @returns {{ line: number, text: string }[]} the regular expressions in the code */
function literalsOf(/** @type {string} */ code) {
  /** @type {{ line: number, text: string }[]} */
  const found = [];
  const source = ts.createSourceFile('code.ts', code, ts.ScriptTarget.Latest, true);
  const visit = (/** @type {ts.Node} */ node) => {
    const isCreated = ts.isNewExpression(node) && node.expression.getText() === 'RegExp';
    if (ts.isRegularExpressionLiteral(node) || isCreated) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push({ line: line + 1, text: node.getText() });
    }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

const files = ['src', 'stores', 'components'].flatMap(filesIn).map((file) => {
  const code = codeOf(file);
  const lines = code.split('\n').map((text, at) => ({ line: at + 1, text }));
  return { file, code, lines, literals: literalsOf(code) };
});

let strays = 0;
for (const { name, homes, literal, source, find, exceptions = {} } of IDEAS) {
  const places = files.flatMap(({ file, code, lines, literals }) => [
    ...(find?.(code) ?? []).flatMap((offset) => {
      const found = lines[code.slice(0, offset).split('\n').length - 1];
      return found ? [{ file, ...found }] : [];
    }),
    ...literals.filter(({ text }) => literal?.test(text)).map((each) => ({ file, ...each })),
    ...lines.filter(({ text }) => source?.test(text)).map((each) => ({ file, ...each })),
  ]);
  const isIn = (/** @type {string} */ file, /** @type {string[]} */ folders) =>
    folders.some((folder) => file === folder || (folder.endsWith('/') && file.startsWith(folder)));
  const outside = places.filter(({ file }) => !isIn(file, homes));
  const stray = outside.filter(({ file }) => !isIn(file, Object.keys(exceptions)));
  const inFiles = new Set(places.map(({ file }) => file)).size;
  console.log(
    `${name}: ${places.length} in ${inFiles} files, ${outside.length} outside their home` +
      (stray.length < outside.length ? `, ${outside.length - stray.length} of them excepted` : ''),
  );
  for (const { file, line, text } of stray) {
    console.log(`  ${file}:${line}: ${text.trim().slice(0, 100)}`);
  }
  strays += stray.length;
}
if (strays > 0) {
  console.error(`${strays} places repeat an idea. Use its home, or widen it.`);
  process.exitCode = 1;
}
