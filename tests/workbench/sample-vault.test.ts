import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { playDemoTurn, type Notes } from '#tests/builders/described-tools';

const folder = path.resolve('tests/workbench/vault');
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.join(entry.parentPath, entry.name));
const texts = new Map(
  files.map((file) => [
    path.relative(folder, file).replaceAll('\\', '/'),
    readFileSync(file, 'utf8'),
  ]),
);
const notes = (): Notes => new Map([...texts].filter(([name]) => name.endsWith('.md')));

describe('the sample vault', () => {
  it('the sample vault has notes, canvases and bases as plain text with LF line endings', () => {
    expect(texts.size).toBeGreaterThan(29);
    expect([...texts.values()].filter((text) => /[\r\0]/.test(text))).toEqual([]);
    expect(
      [...texts.keys()].filter((name) => name.split('/').some((part) => /^\./.test(part))),
    ).toEqual([]);
    expect([...texts.keys()].map((name) => path.extname(name))).toEqual(
      expect.arrayContaining(['.md', '.canvas', '.base']),
    );
  });

  it('the sample vault has a canvas whose notes all exist', () => {
    const canvas = JSON.parse(texts.get('Notes/Beds 2027.canvas') ?? '') as {
      nodes: { file?: string }[];
    };
    const linked = canvas.nodes.flatMap(({ file }) => file ?? []);
    expect(linked.length).toBeGreaterThan(0);
    expect(linked.filter((file) => !texts.has(file))).toEqual([]);
  });

  it('the sample vault has many working links and a few dead ones', () => {
    const names = new Set(
      [...texts.keys()].map((name) => path.basename(name, '.md').toLowerCase()),
    );
    const links = [...texts.values()].flatMap((text) =>
      [...text.matchAll(/\[\[([^\]|#]+)/g)].map((match) => (match[1] ?? '').toLowerCase()),
    );
    const dead = new Set(links.filter((link) => !names.has(link) && !link.endsWith('.canvas')));
    expect(links.length).toBeGreaterThan(40);
    expect(dead.size).toBeGreaterThan(2);
    expect(dead.size).toBeLessThan(10);
  });

  it('the demo model can do everything that the welcome note suggests', () => {
    const suggestions = [...(texts.get('Welcome.md') ?? '').matchAll(/^> - (.+)$/gm)];
    expect(suggestions.length).toBeGreaterThan(4);
    for (const [, said] of suggestions) {
      const vault = notes();
      const turn = playDemoTurn(vault, said ?? '');
      expect({ said, outcome: turn.outcome }).toEqual({ said, outcome: 'done' });
      expect(turn.violations).toEqual([]);
      expect(turn.calls).toBeLessThanOrEqual(6);
    }
  });

  it('the demo model adds lines to the sample lists where a user would', () => {
    const vault = notes();
    playDemoTurn(vault, 'Add milk to my shopping list');
    expect(vault.get('Lists/Shopping.md')).toContain('- Lemons\n- Milk\n\nThe market');
    playDemoTurn(vault, 'add call mum to my todo list');
    expect(vault.get('Lists/Todo.md')).toContain(
      'about the leaflets\n- [ ] Call mum\n\n## Waiting',
    );
    playDemoTurn(vault, 'add Emma to my reading list');
    expect(vault.get('Lists/Books to read.md')).toContain('Philippa Pearce\n* Emma\n');
    playDemoTurn(vault, 'add sun cream to the packing list');
    expect(vault.get('Lists/Packing for the coast.md')).toContain('\n6. Sun cream');
  });
});
