/** Asks all contract questions in a scratch folder of the open vault, and writes a report. */
import { apiVersion, Platform, TFolder, type App, type Plugin } from 'obsidian';
import { answerOf } from './answer';
import type { ContractQuestion, Folder } from './question';
import { QUESTIONS } from './questions';
import { scratchIn } from './scratch-folder';

const SCRATCH = 'parley-contract-questions';
const ANSWER_TIMEOUT_MS = 60_000;
/** Names of notes in the questions about links. */
const LINKED = ['A', 'B', 'C', 'Gone', 'Nowhere', 'far/Away'];

interface Answer {
  readonly name: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  /** What the app answered, or why it was not asked. */
  readonly given: unknown;
  readonly expected: unknown;
  readonly milliseconds: number;
}

/**
 * Asks every question that needs neither a vault of its own nor, without a screen, a screen. The
 * scratch folder is trashed afterwards, whatever happens.
 *
 * @param open accesses a folder of the vault past the app
 * @returns the report in Markdown
 */
export async function askInScratchFolder(
  plugin: Plugin,
  open: (folder: string) => Folder,
): Promise<string> {
  const { vault, fileManager, workspace } = plugin.app;
  const started = new Date();
  const active = workspace.getMostRecentLeaf();
  const root = freePath(plugin.app);
  await vault.createFolder(root);
  const answers: Answer[] = [];
  try {
    for (const question of QUESTIONS) answers.push(await ask(plugin, question, root, open(root)));
  } finally {
    const left = vault.getAbstractFileByPath(root);
    if (left instanceof TFolder) await fileManager.trashFile(left);
    if (active) workspace.setActiveLeaf(active, { focus: true });
  }
  return reportOf(plugin.app, answers, started);
}

async function ask(
  plugin: Plugin,
  question: ContractQuestion,
  root: string,
  outside: Folder,
): Promise<Answer> {
  const { name, answer: expected } = question;
  const skipped = reasonToSkip(plugin.app, question);
  if (skipped !== null) {
    return { name, result: 'skipped', given: skipped, expected, milliseconds: 0 };
  }
  const { workspace } = plugin.app;
  const scratch = scratchIn(plugin.app, root, outside);
  // A question may open its notes in the active leaf, which must not be one of the user's.
  const leaf = workspace.getLeaf('tab');
  workspace.setActiveLeaf(leaf, { focus: true });
  const began = performance.now();
  const manifest = { ...plugin.manifest, id: 'contract', name: 'Contract', dir: root };
  const asked = answerOf(question, { first: plugin, manifest, root, ...scratch });
  const given = await Promise.race([asked, tooLate()])
    .then(scratch.shorten)
    .catch((error: unknown) => `threw: ${String(error)}`);
  scratch.close();
  leaf.detach();
  const result = canonical(given) === canonical(expected) ? 'passed' : 'failed';
  return { name, result, given, expected, milliseconds: performance.now() - began };
}

function reasonToSkip(app: App, { ownVault, onScreen, needsNode }: ContractQuestion) {
  if (ownVault !== undefined) return ownVault;
  if (onScreen && !('setting' in app)) return 'It needs a screen.';
  return needsNode && typeof process === 'undefined' ? 'It needs Node.' : null;
}

function tooLate(): Promise<never> {
  return new Promise((_, reject) => {
    window.setTimeout(() => reject(new Error('no answer in time')), ANSWER_TIMEOUT_MS);
  });
}

function freePath({ vault }: App): string {
  let path = SCRATCH;
  for (let tries = 2; vault.getAbstractFileByPath(path); tries += 1) path = `${SCRATCH}-${tries}`;
  return path;
}

/** JSON with the members of objects in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort())
      : each,
  );
}

function reportOf(app: App, answers: readonly Answer[], started: Date): string {
  const count = (result: Answer['result']) =>
    answers.filter((answer) => answer.result === result).length;
  const named = LINKED.filter((name) => app.metadataCache.getFirstLinkpathDest(name, ''));
  const failed = answers.filter(({ result }) => result === 'failed');
  return [
    '# Contract questions',
    '',
    `- Result: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`,
    `- Asked: ${started.toISOString()}`,
    `- Obsidian: ${apiVersion}`,
    `- Platform: ${platform()}, ${navigator.userAgent}`,
    `- PATH of the app: \`${searchPath()}\``,
    ...(named.length > 0
      ? [
          `- The vault has notes that questions link to, which may change answers: ${named.join(', ')}`,
        ]
      : []),
    ...failed.flatMap(({ name, given, expected }) => [
      '',
      `## Failed: ${name}`,
      '',
      `- expected: ${code(expected)}`,
      `- answered: ${code(given)}`,
    ]),
    '',
    '## All questions',
    '',
    '| question | result | answer | ms |',
    '| --- | --- | --- | ---: |',
    ...answers.map(
      ({ name, result, given, milliseconds }) =>
        `| ${cell(name)} | ${result} | ${result === 'skipped' ? cell(String(given)) : code(given)} | ${Math.round(milliseconds)} |`,
    ),
    '',
  ].join('\n');
}

function platform(): string {
  if (Platform.isMacOS) return 'macOS';
  return Platform.isWin ? 'Windows' : 'Linux';
}

/** Programs of MCP servers are looked up there. The user's own folder is not in the report. */
function searchPath(): string {
  if (typeof process === 'undefined') return 'none';
  const { PATH = '', HOME = '', USERPROFILE = '' } = process.env;
  return [HOME, USERPROFILE]
    .filter((home) => home !== '')
    .reduce((path, home) => path.replaceAll(home, '~'), PATH);
}

function code(value: unknown): string {
  return `\`${cell(JSON.stringify(value))}\``;
}

function cell(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replaceAll('`', "'")
    .replace(/\s*\n\s*/g, ' ');
}
