/**
 * Finds a Chromium for the tests: the headless shell of an npm package, or an installed browser.
 * Reports which, since their fonts differ.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../.ci/setup.mjs';

/** Has one folder for each version of the headless shell. */
const CACHE = path.join(ROOT, 'node_modules', '.cache', 'headless-shell');

const USUAL = {
  linux: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/snap/bin/chromium',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => {
    const root = process.env[name];
    if (!root) return [];
    return ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'].map(
      (file) => path.join(root, file),
    );
  }),
};

/** Command-line flags for an unattended browser that makes no requests of its own. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The browser named by the environment variable CHROMIUM; or else, on Linux with an Intel
 * processor, the headless shell of `@sparticuz/chromium`, which opens pages faster than a whole
 * Chromium; or else an installed one.
 *
 * @param {(words: string) => void} [say]
 * @returns {{ executablePath: string, args: string[], env: Record<string, string> }}
 */
export function findBrowser(say = (words) => console.error(words)) {
  if (process.env['CHROMIUM'] || process.platform !== 'linux' || process.arch !== 'x64') {
    return findInstalledBrowser(say);
  }
  const folder = unpackHeadlessShell();
  const executablePath = path.join(folder, 'chromium');
  say(`Browser: ${executablePath}`);
  return {
    executablePath,
    args: FLAGS,
    env: {
      ...ownEnvironment(),
      LD_LIBRARY_PATH: [path.join(folder, 'al2023', 'lib'), process.env['LD_LIBRARY_PATH']]
        .filter(Boolean)
        .join(':'),
      FONTCONFIG_FILE: writeFontsConfiguration(folder),
    },
  };
}

/**
 * Unpacks the headless shell with its libraries and fonts, unless an earlier run did.
 *
 * @returns {string} the folder that has it
 */
function unpackHeadlessShell() {
  const { version } = JSON.parse(
    readFileSync(path.join(ROOT, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'),
  );
  const folder = path.join(CACHE, version);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const partial = mkdtempSync(path.join(CACHE, 'unpacking-'));
  // The package unpacks into the temporary folder, and its libraries only if it is in a Lambda.
  const script = `(await import('@sparticuz/chromium')).default.executablePath()`;
  const { status, error } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: partial, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' },
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    rmSync(partial, { recursive: true, force: true });
    throw new Error('The headless shell of @sparticuz/chromium could not be unpacked.', {
      cause: error,
    });
  }
  try {
    renameSync(partial, folder);
  } catch (error) {
    // Another process was faster.
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/**
 * The package's own configuration expects the fonts in /tmp/fonts. This one is written each time,
 * because the folder may have been moved.
 *
 * @param {string} folder that has the unpacked fonts
 * @returns {string} the path of the configuration
 */
function writeFontsConfiguration(folder) {
  const file = path.join(folder, 'fonts.conf');
  const here = folder.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  writeFileSync(
    file,
    `<fontconfig><dir>${here}/fonts</dir><cachedir>${here}/fonts-cache</cachedir></fontconfig>\n`,
  );
  return file;
}

/**
 * The browser named by the environment variable CHROMIUM, or else an installed one.
 *
 * @param {(words: string) => void} [say]
 * @returns {{ executablePath: string, args: string[], env: Record<string, string> }}
 */
export function findInstalledBrowser(say = (words) => console.error(words)) {
  const wanted = process.env['CHROMIUM'];
  if (wanted && !existsSync(wanted))
    throw new Error(`CHROMIUM names ${wanted}, which is not there.`);
  const usual = USUAL[/** @type {keyof typeof USUAL} */ (process.platform)] ?? [];
  const installed = wanted ?? usual.find((file) => existsSync(file));
  if (!installed) throw new Error('No Chromium, Chrome or Edge was found. Name one in CHROMIUM.');
  say(`Browser: ${installed}`);
  return { executablePath: installed, args: FLAGS, env: ownEnvironment() };
}

/** @returns {Record<string, string>} */
function ownEnvironment() {
  /** @type {Record<string, string>} */
  const env = {};
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined) env[name] = value;
  return env;
}
