import { readFileSync } from 'node:fs';
import { shortened } from './shortened.mjs';

/**
 * Parts of packages that nothing of ours reaches, by the end of a module's path. A package hangs them on one class or
 * asks for them at one switch, so that a bundler can't see that they are never used. Whatever a part exports is a
 * function that does nothing, but for what stands here.
 *
 * @type {Record<string, Record<string, string>>}
 */
const PARTS = {
  // Nothing is drawn on a server, so there is no page to take over.
  'svelte/src/internal/client/dom/hydration.js': { hydrating: 'false', hydrate_node: 'undefined' },
  // State is never changed inside, only put in place: what is told of its change is not wrapped.
  'svelte/src/internal/client/proxy.js': {
    proxy: '(value) => value',
    get_proxied_value: '(value) => value',
    is: 'Object.is',
  },
  // What is told on the console only.
  'svelte/src/internal/client/warnings.js': {},
  // Tool servers send the schemas they were given and none that are made of checks.
  'zod/v4/core/json-schema-processors.js?whole': { aggregateChecks: '() => ({})' },
  'zod/v4/core/to-json-schema.js?whole': {},
  // Every component is written with runes, and none awaits while it is drawn.
  'svelte/src/internal/flags/index.js': {
    async_mode_flag: 'false',
    legacy_mode_flag: 'false',
    tracing_mode_flag: 'false',
  },
  // Whether a page is worth reading is not asked.
  '@mozilla/readability/Readability-readerable.js': {},
};

/**
 * Modules of which only a part is reached.
 *
 * @type {Record<string, import('./shortened.mjs').Unreached>}
 */
const SHORTENED = {
  // The dialect is a renderer of its own, read by a lexer and a parser.
  'marked/lib/marked.esm.js': {
    members: ['use', 'setOptions', 'parseMarkdown', 'onError', 'walkTokens', 'rules'],
    answers: {
      'this.options.pedantic': 'false',
      'this.options.gfm': 'true',
      'this.options.breaks': 'true',
      'this.options.hooks': 'null',
      'this.options.silent': 'false',
      // Its own names for the rules of lines and of what stands in them.
      '{normal:fe,gfm:tt,pedantic:nt}': '{gfm:tt}',
      '{normal:me,gfm:pe,breaks:qt,pedantic:Dt}': '{breaks:qt}',
    },
  },
  // It is handed a page without anything that loads, such as pictures, by the same rules each time.
  '@mozilla/readability/Readability.js': {
    members: ['_fixLazyImages', '_isSingleImage', '_unwrapNoscriptImages'],
    answers: {
      'options && options.documentElement': 'false',
      '!doc || !doc.documentElement': 'false',
      'this._debug': 'false',
      'this._maxElemsToParse > 0': 'false',
      '!metadata.excerpt': 'false',
      'this._docJSDOMParser': 'false',
      'this.log': 'undefined',
      '["object", "embed", "iframe"].includes(tag)': 'false',
      'embeds.length': '0',
      'media.getAttribute("src")': 'null',
      'media.getAttribute("poster")': 'null',
      'media.getAttribute("srcset")': 'null',
      // Only how many there are is asked.
      '`Bad p to img ratio (img=${img}, p=${p})`': '0',
      "`Too many li's outside of a list. (li=${li} > p=${p})`": '0',
      '`Too many inputs per p. (input=${input}, p=${p})`': '0',
      '`Suspiciously short. (headingDensity=${headingDensity}, img=${img}, linkDensity=${linkDensity})`':
        '0',
      '`Low weight and a little linky. (linkDensity=${linkDensity})`': '0',
      '`High weight and mostly links. (linkDensity=${linkDensity})`': '0',
      '`Suspicious embed. (embedCount=${embedCount}, contentLength=${contentLength})`': '0',
      '`No useful content. (img=${img}, textDensity=${textDensity})`': '0',
    },
  },
  // It is handed a text, or an element that is cleaned where it stands, always gives nodes, and by rules that are never
  // taken back. What is answered is what `sanitise` and `picture` don't ask for, and never what is let through.
  'dompurify/dist/purify.es.mjs': {
    members: ['clearConfig', 'isValidAttribute', 'removeHook', 'removeHooks', 'removeAllHooks'],
    answers: {
      '!freeze': 'false',
      '!seal': 'false',
      '!apply': 'false',
      '!construct': 'false',
      '_slicedToArray(_ref2, 2)': '_ref2',
      // Rules that stay as they are.
      PARSER_MEDIA_TYPE: 'DEFAULT_PARSER_MEDIA_TYPE',
      NAMESPACE: 'HTML_NAMESPACE',
      ALLOW_UNKNOWN_PROTOCOLS: 'false',
      ALLOW_SELF_CLOSE_IN_ATTR: 'true',
      FORCE_BODY: 'false',
      KEEP_CONTENT: 'true',
      RETURN_TRUSTED_TYPE: 'false',
      SAFE_FOR_TEMPLATES: 'false',
      SAFE_FOR_XML: 'true',
      SANITIZE_DOM: 'true',
      SANITIZE_NAMED_PROPS: 'false',
      WHOLE_DOCUMENT: 'false',
      'cfg.TRUSTED_TYPES_POLICY': 'undefined',
      '_assertNotInTrustedTypesPolicy()': 'undefined',
      'objectHasOwnProperty(cfg, "ADD_ATTR")': 'false',
      'objectHasOwnProperty(cfg, "ADD_FORBID_CONTENTS")': 'false',
      'typeof cfg.ADD_TAGS === "function"': 'false',
      'EXTRA_ELEMENT_HANDLING.tagCheck instanceof Function': 'false',
      'EXTRA_ELEMENT_HANDLING.attributeCheck instanceof Function': 'false',
      'check instanceof Function': 'false',
      // Each names all that it lets through, so that what a page may hold is never asked for.
      'objectHasOwnProperty(cfg, "ALLOWED_TAGS") || objectHasOwnProperty(cfg, "ALLOWED_ATTR")':
        'false',
      'USE_PROFILES.html === true': 'false',
      'USE_PROFILES.svgFilters === true': 'false',
      '...html$1': '...[]',
      '...html': '...[]',
      // What it is handed, and what it gives.
      'typeof dirty !== "string" && !_isNode(dirty)': 'false',
      'IN_PLACE && typeof dirty !== "string" && _isNode(dirty)': 'IN_PLACE',
      '_isNode(dirty)': 'false',
      '!RETURN_DOM && !SAFE_FOR_TEMPLATES && !WHOLE_DOCUMENT && dirty.indexOf("<") === -1': 'false',
      'serialize()': '""',
      '_signOutput(serializedHTML)': '""',
      // Whom nothing asks.
      '_executeHooks(hooks.beforeSanitizeElements, currentNode, null)': 'undefined',
      '_executeHooks(hooks.afterSanitizeElements, currentNode, null)': 'undefined',
      '_executeHooks(hooks.beforeSanitizeAttributes, currentNode, null)': 'undefined',
      '_executeHooks(hooks.uponSanitizeAttribute, currentNode, hookEvent)': 'undefined',
      '_executeHooks(hooks.beforeSanitizeShadowDOM, fragment, null)': 'undefined',
      '_executeHooks(hooks.uponSanitizeShadowNode, shadowNode, null)': 'undefined',
      '_executeHooks(hooks.afterSanitizeShadowDOM, fragment, null)': 'undefined',
    },
  },
  // Nothing awaits while it is drawn, which the compiler refuses; nothing is drawn on trial.
  'svelte/src/internal/client/reactivity/async.js': {
    members: [],
    answers: { 'async.length === 0 && pending.length === 0': 'true' },
  },
  'svelte/src/internal/client/reactivity/batch.js': {
    members: ['#commit', 'settled', 'increment', 'decrement'],
    answers: { 'this.is_fork': 'false', 'batch.is_fork': 'false' },
  },
  'svelte/src/internal/client/reactivity/deriveds.js': {
    members: [],
    answers: { 'current_batch?.is_fork': 'false' },
  },
  'svelte/src/internal/client/runtime.js': {
    members: [],
    answers: { 'current_batch?.is_fork': 'false' },
  },
  // No component catches what others throw.
  'svelte/src/internal/client/dom/blocks/boundary.js': {
    members: [
      '#hydrate_resolved_content',
      '#hydrate_failed_content',
      '#hydrate_pending_content',
      '#create_reset',
      '#handle_error',
      '#update_pending_count',
      'update_pending_count',
      'get_effect_pending',
    ],
    answers: {
      '!this.#props.onerror && !this.#props.failed': 'true',
      'this.#pending_count > 0': 'false',
    },
  },
  // An input is checked at once and as it is: nothing waits, and no value is made into another.
  'zod/v4/core/schemas.js': {
    members: ['"~standard"'],
    answers: {
      '_ instanceof Promise': 'false',
      'checkResult instanceof Promise': 'false',
      'canary instanceof Promise': 'false',
      'result instanceof Promise': 'false',
      'r instanceof Promise': 'false',
      'proms.length': '0',
      'def.coerce': 'false',
      'ctx.direction === "backward"': 'false',
      'ctx?.direction !== "backward"': 'true',
      'ctx.skipChecks': 'false',
      'ctx?.skipChecks': 'false',
      'core.globalConfig.memoizer': 'undefined',
      // The keys of a record are any texts of a form.
      'values && !def.partial': 'false',
      'def.mode === "loose"': 'false',
      'typeof key === "string" && regexes.number.test(key) && keyResult.issues.length': 'false',
    },
  },
  'zod/v4/core/checks.js': {
    members: [],
    // A whole number is checked to be a safe one before, which is all that its range says.
    answers: { 'input < minimum': 'false', 'input > maximum': 'false' },
  },
  // Texts have no format but those by an expression.
  'zod/v4/locales/en.js': {
    members: [],
    answers: {
      '_issue.format === "starts_with"': 'false',
      '_issue.format === "ends_with"': 'false',
      '_issue.format === "includes"': 'false',
      'FormatDictionary[_issue.format] ?? issue.format': 'issue.format',
      'issue.options && Array.isArray(issue.options) && issue.options.length > 0': 'false',
      'issue.inclusive === false': 'false',
    },
  },
  // A server gets the token that the person gave it; nobody is sent to it to sign in.
  '@modelcontextprotocol/client/dist/index.mjs': {
    members: ['finishAuth', '_stepUpAuthorizeInner'],
    answers: {
      'isOAuthClientProvider(opts?.authProvider)': 'false',
      'this._authProvider': 'undefined',
    },
  },
  'zod/v4/mini/schemas.js': {
    members: ['parse', 'parseAsync', 'safeParseAsync', 'brand', 'register', 'apply'],
    answers: {},
  },
  // Paths of a vault are written as on Linux, and a glob has the same options each time.
  'minimatch/dist/esm/index.js': {
    members: [
      'defaults',
      'hasMagic',
      'adjascentGlobstarOptimize',
      'firstPhasePreProcess',
      'secondPhasePreProcess',
      // Which makes one of alternatives: for few of them it is no slower to ask each.
      'mergeRows',
      'parseNegate',
      '#mergeKeys',
      '#levelTwoFileOptimize',
    ],
    answers: {
      'this.isWindows': 'false',
      'this.#level2': 'false',
      'this.#form': 'undefined',
      'this.windowsPathsNoEscape': 'false',
      'this.preserveMultipleSlashes': 'false',
      'options.flipNegate': 'false',
      'options.nocomment': 'true',
      'options.nobrace': 'true',
      // Alternatives are written in braces; round brackets are letters.
      'options.noext': 'true',
      'this.options.noext': 'true',
      '!noext': 'false',
      'extglobCount(pattern) > MAX_EXTGLOBS': 'false',
      'assertValidPattern(pattern)': 'undefined',
      // A name without a star is a pattern like any other.
      'literal(pattern, noext)': 'undefined',
      'this.#expandBraces()': '[this.pattern]',
      'this.#pending': 'false',
      'this.comment': 'false',
      'this.empty': 'false',
      "f === '/' && partial": 'false',
      'this.partial': 'false',
      'this.negate': 'false',
      'isDrive(row[0])': 'false',
      'options.optimizationLevel ?? 1': '1',
      'this.options.noglobstar': 'false',
      'this.options.nobrace': 'true',
      'optimizationLevel >= 2': 'false',
      'optimizationLevel >= 1': 'true',
      // A range has at most 256 numbers, and these are alternatives.
      '!found': 'true',
      'this.#rangeMark': 'undefined',
    },
  },
  '@isaacs/nonrecursive-glob-match/dist/esm/index.js': {
    members: [
      ...['test', 'toString'],
      // Without alternatives a name is matched from one star to the next.
      ...['state', 'done', '#visit', '#addThread', 'restricted', 'add', 'addRun', 'step'],
      ...['#make', '#intern', '#clear', 'start', 'next', 'dead'],
    ],
    answers: {
      '!noext': 'false',
      'build(toks, pair(toks), 0, toks.length, true)': '[toks]',
      "it.t !== 'ext'": 'true',
      'this.#form': 'undefined',
      '!nocase': 'false',
      '!this.options.dot': 'false',
      'numericRange(r[1], r[2])': 'undefined',
      'this.#prefixStr !== undefined && this.#suffixStr !== undefined': 'false',
    },
  },
};

/** State that is told of changes inside it. */
const WRAPS = /\$state(?:<[^(]*>)?\(/;

/**
 * @param {string} source of a module
 * @returns {string[]}
 */
function exportsOf(source) {
  const declared = source.matchAll(
    /^export (?:async )?(?:const|let|var|class|function\*?) (\w+)/gm,
  );
  const listed = source.matchAll(/^export \{([^}]*)\}/gm);
  return [
    ...[...declared].map(([, name = '']) => name),
    ...[...listed].flatMap(([, names = '']) =>
      names.split(',').flatMap((each) => /(?!default)\b\w+(?=\s*$)/.exec(each) ?? []),
    ),
  ];
}

/** @returns {import('vite').Plugin} */
export function leftOut() {
  const met = new Set();
  return {
    name: 'left-out',
    enforce: 'pre',
    load(id) {
      const path = id.replaceAll('\\', '/');
      const part = Object.keys(PARTS).find((each) => path.endsWith(`/${each}`));
      if (part === undefined) return null;
      met.add(part);
      const instead = PARTS[part] ?? {};
      const code = exportsOf(readFileSync(id.replace(/\?whole$/, ''), 'utf8')).map((name) =>
        Object.hasOwn(instead, name)
          ? `export const ${name} = ${instead[name]};`
          : `/* @__NO_SIDE_EFFECTS__ */ export function ${name}() {}`,
      );
      return { code: code.join('\n'), moduleSideEffects: false };
    },
    transform(code, id) {
      const path = id.replaceAll('\\', '/');
      if (/\.svelte(?:\.ts)?$/.test(path) && WRAPS.test(code)) {
        throw new Error(`${path} has state that is changed inside; write it with $state.raw.`);
      }
      const module = Object.keys(SHORTENED).find((each) => path.endsWith(`/${each}`));
      if (module === undefined) return null;
      met.add(module);
      const unreached = SHORTENED[module];
      return unreached ? { code: shortened(code, unreached), map: null } : null;
    },
    generateBundle() {
      const gone = Object.keys({ ...PARTS, ...SHORTENED }).filter((each) => !met.has(each));
      if (gone.length > 0) throw new Error(`Left out, but no longer there: ${gone.join(', ')}`);
    },
  };
}
