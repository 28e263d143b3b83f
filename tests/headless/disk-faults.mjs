/**
 * Loaded before the program in the soak test: while the file `SOAK_DISK_FAULTS` exists, every fourth
 * write below the vault fails, some of those of notes in the middle. Each fault is a line in the log
 * beside that file.
 */
import fs from 'node:fs';
import path from 'node:path';

const control = process.env.SOAK_DISK_FAULTS ?? '';
const vault = process.env.SOAK_VAULT ?? '';
const files = fs.promises;
const { open, rename, writeFile, appendFile } = files;
/** Writes of the same file do not fail twice in a row, or a note that was cut could not be restored. */
const spared = new Set();

/** @param {unknown} file */
function isDue(file) {
  const name = String(file);
  if (!name.startsWith(vault) || !fs.existsSync(control)) return false;
  if (spared.delete(name)) return false;
  if (Math.random() > 0.25) return false;
  spared.add(name);
  return true;
}

/**
 * @param {string} operation
 * @param {unknown} file
 */
function fault(operation, file) {
  const [code, text] =
    Math.random() < 0.5
      ? ['ENOSPC', 'no space left on device']
      : ['EBUSY', 'resource busy or locked'];
  fs.appendFileSync(
    `${control}.log`,
    `${operation} ${path.relative(vault, String(file))} ${code}\n`,
  );
  return Object.assign(new Error(`${code}: ${text}, ${operation} '${String(file)}'`), { code });
}

files.open = async (file, flags, ...rest) => {
  if (/[wa+]/.test(String(flags)) && isDue(file)) throw fault('open', file);
  return open.call(files, file, flags, ...rest);
};
files.rename = async (from, to) => {
  if (isDue(to)) throw fault('rename', to);
  return rename.call(files, from, to);
};
files.appendFile = async (file, ...rest) => {
  if (isDue(file)) throw fault('append', file);
  return appendFile.call(files, file, ...rest);
};
files.writeFile = async (file, data, ...rest) => {
  if (!isDue(file)) return writeFile.call(files, file, data, ...rest);
  if (Math.random() < 0.5) {
    // As on a disk that fills up in the middle.
    const bytes = Buffer.from(/** @type {string | Uint8Array} */ (data));
    await writeFile.call(files, file, bytes.subarray(0, bytes.length / 2));
  }
  throw fault('write', file);
};
