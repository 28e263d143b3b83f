import { expect, test } from 'vitest';
import { tasksIn } from '#text/tasks';

test.each([
  ['a list', '- [ ] a', 'open'],
  ['a nested list', '- a\n    - [x] b', 'done'],
  ['an ordered list', '12) [X] a', 'done'],
  ['a quote', '> - [ ] a', 'open'],
  ['a callout', '> [!todo] Today\n> * [ ] a', 'open'],
  ['a list in a list', '- 1. [ ] a', 'open'],
  ['a quote in a list', '- > - [-] a', 'canceled'],
  ['a comment', '%%\n- [/] a\n%%', 'open'],
])('tasksIn finds the task in %s', (_, text, status) => {
  expect(tasksIn(text)).toEqual([expect.objectContaining({ status })]);
});

test.each([
  ['code', '```\n- [ ] a\n```'],
  ['a list without a box', '- a [ ] b'],
  ['a box without a list', '[ ] a'],
  ['a box in a quote without a list', '> [ ] a'],
  ['a box with nothing below it', '- [ ]'],
  ['a link', '- [x](a.md)'],
])('tasksIn finds no task in %s', (_, text) => {
  expect(tasksIn(text)).toEqual([]);
});

test('tasksIn tells the line of each task', () => {
  expect(tasksIn('---\na: 1\n---\n- [ ] a\ntext\n- [x] b').map(({ line }) => line)).toEqual([4, 6]);
});
