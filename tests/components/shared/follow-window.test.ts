import { expect, test } from 'vitest';
import { followWindow, windowChanged } from '#components/shared/follow-window.ts';

function anotherWindow(): Document {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  return frame.contentDocument as Document;
}

test('work in the window of an element starts again in the window that the element is moved to', () => {
  const root = document.createElement('div');
  const element = document.createElement('p');
  root.append(element);
  document.body.append(root);
  const done: string[] = [];
  const other = anotherWindow();
  const stop = followWindow(element, (own) => {
    const where = own === window ? 'first' : 'second';
    done.push(`start in ${where}`);
    return () => done.push(`end in ${where}`);
  });
  windowChanged(root);
  expect(done).toEqual(['start in first']);
  other.body.append(root);
  windowChanged(document.createElement('div'));
  expect(done).toEqual(['start in first']);
  windowChanged(root);
  expect(done).toEqual(['start in first', 'end in first', 'start in second']);
  stop();
  windowChanged(root);
  expect(done.slice(3)).toEqual(['end in second']);
});
