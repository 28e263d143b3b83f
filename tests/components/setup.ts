/** Adds DOM matchers, and clears the page after each test. */
import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/svelte';
import { afterEach } from 'vitest';

// Generous, so that a slow machine does not fail a test.
configure({ asyncUtilTimeout: 60_000 });

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});
