import { describe, expect, it } from 'vitest';
import { illegalNameReason, parsePath } from '#text/paths';
import { harmlessPaths, hostilePaths } from '#tests/policy/hostile-paths';

describe('names for new files', () => {
  it.each(hostilePaths.filter(({ fate }) => fate === 'illegal'))('$raw is illegal', ({ raw }) => {
    const result = parsePath(raw);
    expect(result.ok).toBe(true);
    if (result.ok) expect(illegalNameReason(result.path)).toMatch(/can't be created: .*\.$/);
  });

  it.each(harmlessPaths)('%j is legal', (path) => {
    expect(illegalNameReason(path)).toBeNull();
  });

  it('the message names the illegal segment', () => {
    expect(illegalNameReason('Work/con/Plan.md')).toBe(
      "`con` in `Work/con/Plan.md` can't be created: Windows keeps this name for a device; " +
        'choose another.',
    );
  });

  it('a name cannot be empty', () => {
    expect(illegalNameReason('')).toMatch(/empty/);
    expect(illegalNameReason('a//b')).toMatch(/empty/);
  });
});
