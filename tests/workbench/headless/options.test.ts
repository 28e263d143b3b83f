import { afterEach, describe, expect, it, vi } from 'vitest';
import { readOptions } from '#workbench/headless/options';
import { temporaryFolder } from '#tests/builders/temporary-folder';

afterEach(() => vi.unstubAllEnvs());

function keyFrom(...args: string[]) {
  const read = readOptions(['--vault', temporaryFolder('options'), ...args]);
  return read.ok ? read.options.apiKey : read.reason;
}

describe('the key of the headless program', () => {
  it('an empty key in the environment or on the command line counts as none', () => {
    vi.stubEnv('ANTHROPIC_API_KEY', '');
    expect(keyFrom()).toBeNull();
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-test');
    expect(keyFrom('--api-key', '')).toBeNull();
  });

  it('a key comes from the command line, or else from the environment', () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-test');
    expect(keyFrom()).toBe('sk-test');
    expect(keyFrom('--api-key', 'sk-other')).toBe('sk-other');
  });
});
