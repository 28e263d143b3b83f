/** A server's list of tools as it comes, page by page: what of it is taken is bounded before anybody else looks at it. */
import { isRecord } from '#model/is-record';
import { LARGEST } from './too-large';

const MOST_TOOLS = 128;
const LONGEST_NAME = 128;
/** Characters, as JSON. */
const LARGEST_SCHEMA = 200_000;

export class ToolList {
  #taken = 0;
  #room = LARGEST;
  /** How many tools at least are not taken. */
  left = 0;

  /** @param answer changed in place, where it is a page of the list */
  shorten(answer: Record<string, unknown>): void {
    const { tools, nextCursor } = answer;
    if (!Array.isArray(tools)) return;
    const taken: unknown[] = [];
    let looked = 0;
    for (const tool of tools as unknown[]) {
      if (this.#isFull) break;
      looked += 1;
      this.#room -= sizeOf(tool, this.#room);
      if (this.#room < 0 || !canBeNamed(tool)) {
        this.left += 1;
      } else {
        this.#taken += 1;
        taken.push(withoutBulk(tool));
      }
    }
    answer['tools'] = taken;
    if (!this.#isFull) return;
    this.left += tools.length - looked;
    // Of the pages behind it nothing is known but that there are some.
    if (nextCursor !== undefined) this.left += 1;
    delete answer['nextCursor'];
  }

  get #isFull(): boolean {
    return this.#taken === MOST_TOOLS || this.#room < 0;
  }
}

/** About how many characters it has as JSON; of what is larger than `most`, not much more is looked at. */
export function sizeOf(value: unknown, most: number): number {
  const open = [value];
  let size = 0;
  while (open.length > 0 && size <= most) {
    const each = open.pop();
    size += typeof each === 'string' ? each.length + 1 : 1;
    if (Array.isArray(each)) {
      for (let at = 0; at < each.length && size + open.length <= most; at += 1) open.push(each[at]);
    } else if (isRecord(each)) {
      for (const name in each) {
        size += name.length + 1;
        if (size > most) break;
        open.push(each[name]);
      }
    }
  }
  return size;
}

/** What is no tool at all is left to the package, which refuses the list. */
function canBeNamed(tool: unknown): boolean {
  if (!isRecord(tool) || typeof tool['name'] !== 'string') return true;
  return tool['name'] !== '' && tool['name'].length <= LONGEST_NAME;
}

function withoutBulk(tool: unknown): unknown {
  if (!isRecord(tool)) return tool;
  const { name, title, description, inputSchema, annotations } = tool;
  const isLarge = sizeOf(inputSchema, LARGEST_SCHEMA) > LARGEST_SCHEMA;
  return {
    ...{ name, title, description, annotations },
    inputSchema: isLarge ? { type: 'object' } : inputSchema,
  };
}
