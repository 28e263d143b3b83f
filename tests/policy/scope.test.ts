import { describe, expect, test } from 'vitest';
import type { ChangeNote } from '#model/message';
import { createdBy, isInScope, pathAfter } from '#policy/scope';

function change(kind: ChangeNote['kind'], path: string, to?: string): ChangeNote {
  return { change: 'change-1' as never, kind, path, ...(to ? { to } : {}), added: 0, removed: 0 };
}

describe('what a conversation created', () => {
  test('created files count by their current paths', () => {
    const created = createdBy([
      change('create', 'In/A.md'),
      change('create', 'B.md'),
      change('write', 'Old.md'),
      change('move', 'In', 'Out'),
      change('delete', 'B.md'),
      change('move', 'Old.md', 'New.md'),
    ]);
    expect([...created]).toEqual(['Out/A.md']);
  });

  test('created files are in scope, and their neighbors are not', () => {
    const scope = {
      kind: 'current',
      roots: ['Open.md'],
      created: new Set(['Mine.md', 'My folder']),
    } as const;
    expect(isInScope('Mine.md', scope)).toBe(true);
    expect(isInScope('Open.md', scope)).toBe(true);
    expect(isInScope('My folder/Theirs.md', scope)).toBe(false);
    expect(isInScope('Open.md.bak', scope)).toBe(false);
  });
});

test('an attached folder is in scope with everything in it', () => {
  const scope = { kind: 'context', roots: ['Work'], created: new Set<string>() } as const;
  expect(isInScope('Work/Deep/Plan.md', scope)).toBe(true);
  expect(isInScope('Workshop.md', scope)).toBe(false);
});

test('a path is followed through moves', () => {
  expect(pathAfter('a/b.md', [change('move', 'a', 'c'), change('move', 'c/b.md', 'd.md')])).toBe(
    'd.md',
  );
});
