/**
 * The rules of Obsidian's developer policies and automated review that a machine can check, applied
 * to the three files of a release. What a plugin may do if it says so is looked up in
 * `REVIEWER_NOTES.md`, where each such item is written in backticks.
 */
import ts from 'typescript';

/** @typedef {import('./release-policy.mjs').Release} Release */
/** @typedef {import('./release-policy.mjs').Violation} Violation */

/** Obsidian Sync does not carry larger files. */
const MAX_MAIN_BYTES = 5_000_000;
const MAX_DESCRIPTION_LENGTH = 250;
/** An array of at least this many texts, read by number this often, is how obfuscators hide texts. */
const TEXT_TABLE = { length: 60, reads: 60 };
/** A longer text without a blank may be a program or a file in disguise. */
const MAX_BLOB_LENGTH = 4000;

/** Text of the command that only development builds have. */
const DEVELOPMENT = /contract questions/i;
const TELEMETRY =
  /\b(?:google-analytics|googletagmanager|segment\.(?:io|com)|sentry\.io|posthog|mixpanel|amplitude\.com|plausible\.io|bugsnag|datadoghq|hotjar|matomo|rudderstack)\b/i;
const INSTALLS = /\b(?:npm|pnpm|yarn|bun|pip) (?:install|i|add|ci)\b/;
const DECOMPRESSION = /brotli|DecompressionStream|gunzip|inflate(?:Raw)?(?:Sync)?$|unzipSync/i;
const OWN_FILES = /(?:^|[\\/])(?:main\.js|manifest\.json)$/;
const REMOTE = /^(?:https?:)?\/\//;

/**
 * @param {Release} release
 * @returns {Violation[]}
 */
export function violationsOf(release) {
  return [
    ...manifestViolations(release),
    ...versionViolations(release),
    ...programViolations(release),
    ...styleViolations(release),
    ...disclosureViolations(release),
  ];
}

/** @param {Release} release */
function manifestViolations(release) {
  const rule = 'manifest';
  const manifest = parsed(release.manifest);
  if (!manifest) return [{ rule, problem: 'manifest.json is not a JSON object.' }];
  const { id, name, author, description, version, minAppVersion, isDesktopOnly } = manifest;
  return [
    [/^[a-z][a-z-]*$/.test(id), 'The id must consist of lower-case letters and hyphens.'],
    [!/obsidian|plugin$/i.test(id), 'The id must not contain "obsidian" or end with "plugin".'],
    [!/obsidian|plugin/i.test(name), 'The name must not contain "Obsidian" or "Plugin".'],
    [!/obsidian/i.test(description), 'The description must not contain "Obsidian".'],
    [!/^this (?:is a )?plugin/i.test(description), 'The description must say what it does.'],
    [/[.?!]$/.test(description), 'The description must end with a period.'],
    [
      String(description).length <= MAX_DESCRIPTION_LENGTH,
      `The description has more than ${MAX_DESCRIPTION_LENGTH} characters.`,
    ],
    [typeof author === 'string' && author !== '', 'The author is missing.'],
    [isVersion(version), 'The version must have the form 1.2.3.'],
    [isVersion(minAppVersion), 'The minimum version of Obsidian must have the form 1.2.3.'],
    [isDesktopOnly === true, 'A plugin that uses Node must be marked as desktop only.'],
  ]
    .filter(([holds]) => !holds)
    .map(([, problem]) => ({ rule, problem: String(problem) }));
}

/** @param {Release} release */
function versionViolations(release) {
  const rule = 'version';
  const { version, minAppVersion } = parsed(release.manifest) ?? {};
  const lock = parsed(release.lock);
  /** @type {[string, unknown][]} */
  const others = [
    ['package.json', parsed(release.package)?.version],
    ['package-lock.json', lock?.version],
    ['the root of package-lock.json', lock?.packages?.['']?.version],
    ...(release.tag === undefined
      ? []
      : [/** @type {[string, string]} */ (['the tag', release.tag])]),
  ];
  const violations = others
    .filter(([, other]) => other !== version)
    .map(([where, other]) => ({
      rule,
      problem: `manifest.json is of version ${version}, and ${where} of ${String(other)}.`,
    }));
  const listed = parsed(release.versions)?.[version];
  if (listed !== minAppVersion) {
    const problem = `versions.json must list ${version} with ${minAppVersion}; it has ${String(listed)}.`;
    violations.push({ rule, problem });
  }
  const heading = release.changelog.split('\n').find((line) => line.startsWith(`## ${version} (`));
  if (heading === undefined) {
    violations.push({ rule, problem: `CHANGELOG.md has no section for ${version}.` });
  } else if (release.tag !== undefined && heading.endsWith('(unpublished)')) {
    violations.push({ rule, problem: `CHANGELOG.md calls ${version} unpublished.` });
  }
  return violations;
}

/** @param {Release} release */
function programViolations(release) {
  const { main, notes } = release;
  /** @type {Violation[]} */
  const violations = [];
  const add = (/** @type {string} */ rule, /** @type {string} */ problem) => {
    if (!violations.some((each) => each.problem === problem)) violations.push({ rule, problem });
  };
  /** What is allowed if the notes for reviewers name it. */
  const disclose = (/** @type {string} */ rule, /** @type {string} */ what) => {
    if (!notes.includes(`\`${what}\``)) {
      add(rule, `main.js uses ${what}, which REVIEWER_NOTES.md does not explain.`);
    }
  };
  const bytes = Buffer.byteLength(main);
  if (bytes > MAX_MAIN_BYTES)
    add('size', `main.js has ${bytes} bytes, more than ${MAX_MAIN_BYTES}.`);
  if (/sourceMappingURL/.test(main)) add('source map', 'main.js refers to a source map.');
  if (/\b_0x[0-9a-f]{4,}\b/.test(main)) add('obfuscation', 'main.js has names like _0x1a2b.');

  const source = ts.createSourceFile(
    'main.js',
    main,
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.JS,
  );
  /** @type {Set<string>} */
  const tables = new Set();
  /** @type {Map<string, number>} */
  const reads = new Map();

  const checkText = (/** @type {string} */ text) => {
    if (TELEMETRY.test(text)) add('telemetry', `main.js names a telemetry service: ${short(text)}`);
    if (DEVELOPMENT.test(text)) add('development', 'main.js is a development build.');
    if (INSTALLS.test(text)) add('self-update', `main.js installs packages: ${short(text)}`);
    if (OWN_FILES.test(text)) add('self-update', `main.js names its own file: ${short(text)}`);
    if (text.length > MAX_BLOB_LENGTH && !/\s/.test(text)) {
      add('obfuscation', `main.js has a text of ${text.length} characters without a blank.`);
    }
    for (const [, host] of text.matchAll(/https?:\/\/([\w.-]+\.[a-z]{2,})/gi)) {
      if (host) disclose('network', host.toLowerCase());
    }
  };

  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)) checkText(node.text);
    else if (ts.isIdentifier(node)) checkName(node);
    else if (ts.isCallExpression(node)) checkCall(node);
    else if (ts.isNewExpression(node)) checkNew(node);
    else if (ts.isArrayLiteralExpression(node) && isTextTable(node)) {
      const { parent } = node;
      const target = ts.isVariableDeclaration(parent)
        ? parent.name
        : ts.isBinaryExpression(parent)
          ? parent.left
          : null;
      if (target) tables.add(target.getText());
    } else if (
      ts.isElementAccessExpression(node) &&
      ts.isIdentifier(node.expression) &&
      ts.isNumericLiteral(node.argumentExpression)
    ) {
      const name = node.expression.text;
      reads.set(name, (reads.get(name) ?? 0) + 1);
    } else if (ts.isBinaryExpression(node)) checkAssignment(node);
    ts.forEachChild(node, visit);
  };

  const checkName = (/** @type {ts.Identifier} */ node) => {
    const { parent, text } = node;
    const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
    if (DECOMPRESSION.test(text)) disclose('decompression', text);
    if (isMember || (ts.isPropertyAssignment(parent) && parent.name === node)) return;
    if (text === 'eval') add('code from text', 'main.js uses eval.');
    const isBase = ts.isPropertyAccessExpression(parent) && parent.expression === node;
    const isTested =
      ts.isBinaryExpression(parent) &&
      parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword;
    if (text === 'Function' && !isBase && !isTested) disclose('code from text', 'Function');
  };

  const checkCall = (/** @type {ts.CallExpression} */ { expression, arguments: [first] }) => {
    const literal = first && ts.isStringLiteralLike(first) ? first.text : null;
    if (expression.kind === ts.SyntaxKind.ImportKeyword) {
      if (literal === null || REMOTE.test(literal)) {
        add('remote code', 'main.js imports a module whose name is not fixed.');
      }
    } else if (ts.isIdentifier(expression)) {
      const { text } = expression;
      if (text === 'require' && literal) disclose('modules', literal.replace(/^node:/, ''));
      if (text === 'importScripts') add('remote code', 'main.js uses importScripts.');
      if (text === 'fetch') disclose('network', 'fetch');
      if (/^set(?:Timeout|Interval)$/.test(text) && literal !== null) {
        add('code from text', `main.js passes a text to ${text}.`);
      }
    } else if (ts.isPropertyAccessExpression(expression)) {
      const method = expression.name.text;
      if (method === 'createElement' && literal === 'script') {
        add('remote code', 'main.js creates script elements.');
      }
      if (method === 'fetch' && isGlobal(expression.expression)) disclose('network', 'fetch');
      if (method === 'insertAdjacentHTML') disclose('HTML', method);
    }
  };

  const checkNew = (/** @type {ts.NewExpression} */ { expression }) => {
    const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
    if (ts.isIdentifier(name) && /^(?:Shared)?Worker$/.test(name.text)) {
      disclose('code from text', name.text);
    }
  };

  const checkAssignment = (/** @type {ts.BinaryExpression} */ { left, operatorToken }) => {
    if (operatorToken.kind !== ts.SyntaxKind.EqualsToken) return;
    if (!ts.isPropertyAccessExpression(left)) return;
    const { text } = left.name;
    if (text === 'innerHTML' || text === 'outerHTML') disclose('HTML', text);
  };

  visit(source);
  for (const table of tables) {
    if ((reads.get(table) ?? 0) >= TEXT_TABLE.reads) {
      add('obfuscation', `main.js reads its texts from a table (${table}).`);
    }
  }
  return violations;
}

/** @param {Release} release */
function styleViolations({ styles }) {
  const rule = 'styles';
  /** @type {[RegExp, string][]} */
  const forbidden = [
    [/@import/, 'styles.css imports another file.'],
    [/url\(\s*["']?(?:https?:)?\/\//i, 'styles.css loads a remote file.'],
    [/clip-path/, 'styles.css uses clip-path, which can hide or fake parts of the app.'],
    [/!important/, 'styles.css uses !important, which themes and snippets cannot override.'],
    [/:has\(/, 'styles.css uses :has(), which slows down the whole app.'],
    [/sourceMappingURL/, 'styles.css refers to a source map.'],
  ];
  return forbidden
    .filter(([pattern]) => pattern.test(styles))
    .map(([, problem]) => ({ rule, problem }));
}

/** @param {Release} release */
function disclosureViolations({ readme, license, main }) {
  const rule = 'disclosure';
  /** @type {[boolean, string][]} */
  const rules = [
    [/MIT License/i.test(license), 'LICENSE is missing or not the MIT license.'],
    [/## Privacy and network/.test(readme), 'The README has no section about privacy and network.'],
    [
      /account/i.test(readme) && /credit/i.test(readme),
      'The README does not say what is needed and paid.',
    ],
    [
      /optional payment/i.test(readme),
      'The README does not name the kind of payment, as in the directory.',
    ],
    [/no telemetry/i.test(readme), 'The README does not say that there is no telemetry.'],
    [
      !/child_process/.test(main) || /MCP servers/.test(readme),
      'The README does not say that programs can be started.',
    ],
  ];
  return rules.filter(([holds]) => !holds).map(([, problem]) => ({ rule, problem }));
}

/** Whether all entries are texts. A set of words built from such an array is never read by number. */
function isTextTable(/** @type {ts.ArrayLiteralExpression} */ { elements }) {
  return (
    elements.length >= TEXT_TABLE.length && elements.every((each) => ts.isStringLiteralLike(each))
  );
}

function isGlobal(/** @type {ts.Expression} */ node) {
  return ts.isIdentifier(node) && /^(?:window|globalThis|self|activeWindow)$/.test(node.text);
}

function isVersion(/** @type {unknown} */ value) {
  return typeof value === 'string' && /^\d+\.\d+\.\d+$/.test(value);
}

function short(/** @type {string} */ text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}

/** @returns {any} null if the text is not a JSON object */
function parsed(/** @type {string} */ text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
