import { mkdirSync, readFileSync, readdirSync, existsSync } from 'node:fs';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Builds unless all outputs exist and the stored stamp matches.
 *
 * @param {object} made
 * @param {string} made.buildDir folder for temporary folders and stamps
 * @param {string} made.stamp describes the inputs of the build; its first word names the stamp file
 * @param {string[]} made.outputs files that must exist, all in one folder
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
    // The stamp is written last, so that an interrupted build is repeated.
    const beside = `${stampFile}.${process.pid}`;
    writeFileSync(beside, stamp);
    renameSync(beside, stampFile);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Renames each file into place, which is atomic, so that no reader sees half a file. */
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
