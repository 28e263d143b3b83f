/**
 * Finds a Chromium for the tests: the headless shell of an npm package, or an installed browser.
 * Reports which, since their fonts differ.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';

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
 * @returns {Promise<{ executablePath: string, args: string[], env: Record<string, string> }>}
 */
export async function findBrowser(say = (words) => console.error(words)) {
  if (process.env['CHROMIUM'] || process.platform !== 'linux' || process.arch !== 'x64') {
    return findInstalledBrowser(say);
  }
  // Makes the package unpack its own libraries too. It reads the variable while it is evaluated.
  process.env['AWS_LAMBDA_JS_RUNTIME'] ??= 'nodejs20.x';
  const { default: chromium } = await import('@sparticuz/chromium');
  const executablePath = await chromium.executablePath();
  say(`Browser: ${executablePath}`);
  return { executablePath, args: FLAGS, env: ownEnvironment() };
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
