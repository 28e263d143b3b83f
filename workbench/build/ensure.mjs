import { mkdirSync, readFileSync, readdirSync, existsSync } from 'node:fs';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Builds unless the outputs are there and were built from the same.
 *
 * @param {object} made
 * @param {string} made.buildDir where temporary folders and stamps are kept
 * @param {string} made.stamp what was built from what; its first word names the stamp
 * @param {string[]} made.outputs files that must be there, all in one folder
 * @param {(outDir: string) => Promise<void>} made.build
 */
export async function ensure({ buildDir, stamp, outputs, build }) {
  const stampFile = path.join(buildDir, `${stamp.split(' ')[0]}.stamp`);
  if (outputs.every((file) => existsSync(file)) && readIfThere(stampFile) === stamp) return;

  mkdirSync(buildDir, { recursive: true });
  const temporary = path.join(buildDir, `${process.pid}-${Date.now()}`);
  try {
    await build(temporary);
    moveInto(temporary, path.dirname(outputs[0] ?? buildDir));
    // Last, so that a build cut short is done again.
    const beside = `${stampFile}.${process.pid}`;
    writeFileSync(beside, stamp);
    renameSync(beside, stampFile);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Renaming replaces a file at once, so that nobody ever reads half of one. */
function moveInto(/** @type {string} */ from, /** @type {string} */ to) {
  mkdirSync(to, { recursive: true });
  for (const child of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, child.name), path.join(to, child.name)];
    if (child.isDirectory()) moveInto(source, target);
    else renameSync(source, target);
  }
}

/** @returns {string | null} */
function readIfThere(/** @type {string} */ file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
