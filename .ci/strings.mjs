/**
 * `npm run strings`: prints all messages of the catalog in `src/messages` by area and name.
 * With `--unused` it prints only the messages that nothing uses, and fails if there are any.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { ROOT } from './setup.mjs';

const FOLDER = 'src/messages/';
const onlyUnused = process.argv.includes('--unused');
const files = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', 'src', 'stores', 'components'],
  {
    cwd: ROOT,
  },
)
  .toString()
  .split('\n')
  .filter((file) => /\.(?:ts|svelte)$/.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }));

let unused = 0;
for (const { file, text } of files) {
  if (!file.startsWith(FOLDER) || file.endsWith('/plural.ts')) continue;
  const area = path.basename(file, '.ts');
  const importers = files.filter(
    (each) =>
      each.text.includes(`messages/${area}'`) ||
      (each.file.startsWith(FOLDER) && each.text.includes(`'./${area}'`)),
  );
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  if (!onlyUnused) console.log(`\n${area}`);
  for (const [name, value] of messagesOf(source)) {
    const use = new RegExp(`\\.${name}\\b|import [^;]*\\b${name}\\b[^;]*;`);
    const isUsed =
      importers.some((each) => use.test(each.text)) ||
      [...text.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length > 1;
    if (!isUsed) unused += 1;
    if (!onlyUnused) console.log(`  ${name}: ${value}`);
    else if (!isUsed) console.error(`${file}: nothing uses the message ${name}.`);
  }
}
if (onlyUnused && unused > 0) process.exitCode = 1;

/** @returns {[name: string, value: string][]} exported messages, with expressions in braces */
function messagesOf(/** @type {ts.SourceFile} */ source) {
  /** @type {[string, string][]} */
  const messages = [];
  for (const statement of source.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name) {
      messages.push([statement.name.text, textsIn(statement)]);
    } else if (ts.isVariableStatement(statement)) {
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (initializer) messages.push([name.getText(), textsIn(initializer)]);
      }
    }
  }
  return messages;
}

/** All texts in a declaration, separated by " | ". */
function textsIn(/** @type {ts.Node} */ node) {
  /** @type {string[]} */
  const texts = [];
  const visit = (/** @type {ts.Node} */ each) => {
    if (ts.isStringLiteralLike(each)) texts.push(each.text);
    else if (ts.isTemplateExpression(each)) {
      const parts = each.templateSpans.map(
        ({ expression, literal }) => `{${expression.getText()}}${literal.text}`,
      );
      texts.push(each.head.text + parts.join(''));
    } else each.forEachChild(visit);
  };
  visit(node);
  return texts.join(' | ');
}
