import { describe, expect, it } from 'vitest';
import { PathCache, stampOf } from '#ports/path-cache';

describe('PathCache', () => {
  it('a path cache returns a value only under the stamp of its file', () => {
    const cache = new PathCache<string>(10);
    cache.set('a.md', '1', 'one');
    expect(cache.get('a.md', '1')).toBe('one');
    expect(cache.get('a.md', '2')).toBeUndefined();
    expect(cache.get('b.md', '1')).toBeUndefined();
    cache.set('a.md', '2', 'two');
    expect(cache.get('a.md', '1')).toBeUndefined();
    expect(cache.get('a.md', '2')).toBe('two');
    cache.delete('a.md');
    expect(cache.get('a.md', '2')).toBeUndefined();
  });

  it('a full path cache evicts only the least recently used value', () => {
    const cache = new PathCache<string>(2);
    cache.set('a', '1', 'a');
    cache.set('b', '1', 'b');
    cache.get('a', '1');
    cache.set('c', '1', 'c');
    expect(['a', 'b', 'c'].map((path) => cache.get(path, '1'))).toEqual(['a', undefined, 'c']);
  });

  it('a path cache bounds the total size of its values', () => {
    const cache = new PathCache<string>(10, (text) => text.length);
    cache.set('a', '1', 'aaaa');
    cache.set('b', '1', 'bbbb');
    cache.set('a', '2', 'aaaaaa');
    expect(cache.get('b', '1')).toBe('bbbb');
    cache.set('c', '1', 'cc');
    expect([cache.get('a', '2'), cache.get('b', '1')]).toEqual([undefined, 'bbbb']);
    cache.set('d', '1', 'd'.repeat(11));
    expect(cache.get('d', '1')).toBeUndefined();
    expect(cache.get('c', '1')).toBe('cc');
  });

  it('a stamp differs by time and by size', () => {
    expect(stampOf({ modified: 1, size: 23 })).toBe('1:23');
    expect(stampOf({ modified: 12, size: 3 })).toBe('12:3');
  });
});
