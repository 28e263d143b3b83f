/**
 * Provides a DOM for a process without a browser. Importing this file installs it, and it must be
 * the first import: CodeMirror and the fake Obsidian host look for `document` while they are
 * evaluated.
 *
 * Node keeps its own fetch, streams, AbortController, Event, timers and crypto: jsdom lacks some of
 * them and its versions do not work with Node's. Only the names listed here become global.
 */
import { JSDOM, type DOMWindow } from 'jsdom';

const NAMES = [
  'window',
  'document',
  'navigator',
  'location',
  'WebSocket',
  'Node',
  'NodeFilter',
  'NodeList',
  'HTMLCollection',
  'Element',
  'Document',
  'DocumentFragment',
  'ShadowRoot',
  'Attr',
  'CharacterData',
  'Text',
  'Comment',
  'Range',
  'Selection',
  'DOMParser',
  'DOMRect',
  'XMLSerializer',
  'MutationObserver',
  'UIEvent',
  'MouseEvent',
  'PointerEvent',
  'KeyboardEvent',
  'InputEvent',
  'FocusEvent',
  'WheelEvent',
  'CSSStyleSheet',
  'getComputedStyle',
  'getSelection',
];
const FAMILIES = /^(HTML|SVG)\w*Element$/;

/** Globals that the window takes from Node, so that `window.fetch` and `fetch` are the same. */
const FROM_NODE = [
  'fetch',
  'Headers',
  'Request',
  'Response',
  'FormData',
  'Blob',
  'AbortController',
  'AbortSignal',
  'ReadableStream',
  'WritableStream',
  'TransformStream',
  'TextEncoder',
  'TextDecoder',
  'URL',
  'URLSearchParams',
  'crypto',
  'performance',
  'structuredClone',
  'queueMicrotask',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
];

function install(): void {
  const { window } = new JSDOM('<!doctype html><html><head></head><body></body></html>', {
    url: 'app://obsidian.md/index.html',
  });
  for (const name of FROM_NODE) define(window, name, globalThis[name as keyof typeof globalThis]);
  hideFrames(window);
  takeFromNode(window);
  const names = Object.getOwnPropertyNames(window).filter((name) => FAMILIES.test(name));
  for (const name of [...NAMES, ...names]) define(globalThis, name, window[name]);
  define(globalThis, 'window', window);
  for (const name of ['requestAnimationFrame', 'cancelAnimationFrame']) {
    define(globalThis, name, window[name]);
  }
}

/** Suppresses animation frames, as in a hidden Obsidian window. */
function hideFrames(window: DOMWindow): void {
  let last = 0;
  define(window, 'requestAnimationFrame', () => ++last);
  define(window, 'cancelAnimationFrame', () => undefined);
}

/** Makes jsdom accept Node's signals and events; by itself it accepts only its own. */
function takeFromNode(window: DOMWindow): void {
  const { prototype } = window.EventTarget;
  const { addEventListener, dispatchEvent } = prototype;

  prototype.addEventListener = function (type, listener, options): void {
    if (typeof options !== 'object' || !options.signal) {
      return addEventListener.call(this, type, listener, options);
    }
    const { signal, ...rest } = options;
    if (signal.aborted) return;
    addEventListener.call(this, type, listener, rest);
    const remove = () => this.removeEventListener(type, listener, rest);
    signal.addEventListener('abort', remove, { once: true });
  };

  const isOwn = (event: object): boolean => event instanceof window.Event;
  prototype.dispatchEvent = function (event): boolean {
    if (isOwn(event)) return dispatchEvent.call(this, event);
    const { type, bubbles, cancelable, composed } = event;
    const detail: unknown = event instanceof CustomEvent ? event.detail : null;
    const own = new window.CustomEvent(type, { bubbles, cancelable, composed, detail });
    return dispatchEvent.call(this, own);
  };
}

function define(target: object, name: string, value: unknown): void {
  if (value === undefined) throw new Error(`jsdom or Node no longer has ${name}.`);
  Object.defineProperty(target, name, { value, configurable: true, writable: true });
}

// A test environment may already provide a document.
if (typeof document === 'undefined') install();
