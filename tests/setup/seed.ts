/**
 * In CI, laws try the same cases in every run, so that a new failure comes from the change under
 * test. Elsewhere, and with `CASES`, each run draws others.
 */
import fc from 'fast-check';

if (process.env['CI'] !== undefined && process.env['CASES'] === undefined) {
  fc.configureGlobal({ seed: 20_260_101 });
}
