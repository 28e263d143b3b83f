/** What jsdom lacks and the components use when it is there; matchers that speak of the DOM. */
import '@testing-library/jest-dom/vitest';
