/** What the app loads on demand: libraries, pictures, views and workers. */
import {
  finishRenderMath,
  loadMathJax,
  loadMermaid,
  loadPrism,
  renderMath,
  type WorkspaceLeaf,
} from 'obsidian';
import type { ContractQuestion } from '../question';

interface Prism {
  readonly languages: Record<string, unknown>;
  tokenize(code: string, grammar: unknown): (string | { type: string; content: unknown })[];
}

interface Mermaid {
  parse(source: string, options: { suppressErrors: boolean }): Promise<unknown>;
  render(id: string, source: string): Promise<{ svg: string }>;
}

export const loaderQuestions: readonly ContractQuestion[] = [
  {
    name: 'renderMath returns an inline or a display formula as a custom element',
    about: ['loadMathJax', 'renderMath', 'finishRenderMath'],
    onScreen: true,
    async ask() {
      await loadMathJax();
      const drawn = [renderMath('a^2', false), renderMath('a^2', true)];
      await finishRenderMath();
      return drawn.map((each) => [
        each.localName,
        each.getAttribute('display'),
        each.isConnected,
        each.textContent.includes('a'),
      ]);
    },
    answer: [
      ['mjx-container', null, false, true],
      ['mjx-container', 'true', false, true],
    ],
  },
  {
    name: 'Prism tokenizes code with the grammar of its language',
    about: ['loadPrism'],
    onScreen: true,
    async ask() {
      const prism = (await loadPrism()) as Prism;
      const pieces = prism.tokenize('const a = 1;', prism.languages['javascript']);
      const kinds = pieces.flatMap((each) => (typeof each === 'string' ? [] : [each.type]));
      const text = pieces.map((each) => (typeof each === 'string' ? each : each.content));
      return [kinds.includes('keyword'), text.join(''), 'no-such-language' in prism.languages];
    },
    answer: [true, 'const a = 1;', false],
  },
  {
    name: 'Mermaid renders a diagram as SVG, and parse rejects an invalid one',
    about: ['loadMermaid'],
    onScreen: true,
    async ask() {
      const mermaid = (await loadMermaid()) as Mermaid;
      const isGood = await mermaid.parse('graph TD\nA --> B', { suppressErrors: true });
      const isBad = await mermaid.parse('no diagram', { suppressErrors: true });
      const { svg } = await mermaid.render('contract-diagram', 'graph TD\nA --> B');
      const isLeft = document.getElementById('contract-diagram') !== null;
      return [Boolean(isGood), Boolean(isBad), svg.startsWith('<svg'), isLeft];
    },
    answer: [true, false, true, false],
  },
  {
    name: 'getResourcePath returns a URL that displays a picture of the vault',
    about: ['Vault.getResourcePath'],
    onScreen: true,
    async ask({ app: { vault }, folder }) {
      await folder.write('A.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="5"/>');
      while (!vault.getFileByPath('A.svg')) {
        await new Promise((resolve) => window.setTimeout(resolve, 20));
      }
      const file = vault.getFileByPath('A.svg');
      const image = createEl('img');
      image.src = file ? vault.getResourcePath(file) : '';
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    },
    answer: [7, 5],
  },
  {
    name: 'a worker that is started from a text has Node’s require and setImmediate (observed)',
    about: [],
    onScreen: true,
    async ask() {
      const program = 'postMessage([typeof require, typeof setImmediate]);';
      const address = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
      const worker = new Worker(address);
      URL.revokeObjectURL(address);
      try {
        return await new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
      } finally {
        worker.terminate();
      }
    },
    answer: ['function', 'function'],
  },
  {
    name: 'the search view can be opened in the sidebar with a query',
    about: ['Workspace.getLeftLeaf', 'ViewState.state', 'Workspace.getLeavesOfType'],
    onScreen: true,
    ownVault: 'It needs an app in which no search was open.',
    async ask({ app: { vault, workspace } }) {
      await vault.create('A.md', 'One #contract-tag.');
      const leaf: WorkspaceLeaf | null = workspace.getLeftLeaf(false);
      await leaf?.setViewState({
        ...{ type: 'search', active: true },
        state: { query: 'tag:#contract-tag' },
      });
      const [search] = workspace.getLeavesOfType('search');
      const state = search?.view.getState() as { query?: string } | undefined;
      return [search === leaf, state?.query];
    },
    answer: [true, 'tag:#contract-tag'],
  },
];
