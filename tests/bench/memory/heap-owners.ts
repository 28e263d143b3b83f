/** Splits a heap snapshot of V8 by the fields that own its memory. */
import { text } from 'node:stream/consumers';

/** Owns what a field leads to, and everything below that no earlier owner has. */
export interface Owner {
  readonly name: string;
  /** The class of the objects that have the field. */
  readonly type: string;
  readonly field: string;
}

interface HeapSnapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly edge_fields: readonly string[];
      readonly edge_types: readonly [readonly string[], ...unknown[]];
    };
  };
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly strings: readonly string[];
}

/**
 * Edges from data to code, which would lead to everything. `anonymous` leads from an object to the
 * scope of its class, if that has private methods.
 */
const CODE = new Set(['map', '__proto__', 'constructor', 'context', 'shared', 'code', 'anonymous']);

/** Bytes by the name of the owner; `rest` is what none of them owns. */
export async function bytesByOwner(
  stream: NodeJS.ReadableStream,
  owners: readonly Owner[],
): Promise<ReadonlyMap<string, number>> {
  const graph = new HeapGraph(JSON.parse(await text(stream)) as HeapSnapshot);
  const bytes = new Map(owners.map(({ name }) => [name, 0]));
  for (const { name, type, field } of owners) {
    bytes.set(name, bytes.get(name)! + graph.claim(type, field));
  }
  return bytes.set('rest', graph.unclaimed());
}

class HeapGraph {
  readonly #heap: HeapSnapshot;
  readonly #nodeFields: number;
  readonly #edgeFields: number;
  readonly #nameField: number;
  readonly #sizeField: number;
  readonly #weak: number;
  readonly #named: ReadonlySet<number>;
  /** Where the edges of each node begin, and the end of the last one's. */
  readonly #firstEdges: Uint32Array;
  readonly #isClaimed: Uint8Array;

  constructor(heap: HeapSnapshot) {
    const {
      node_fields: nodeFields,
      edge_fields: edgeFields,
      edge_types: types,
    } = heap.snapshot.meta;
    this.#heap = heap;
    this.#nodeFields = nodeFields.length;
    this.#edgeFields = edgeFields.length;
    this.#nameField = nodeFields.indexOf('name');
    this.#sizeField = nodeFields.indexOf('self_size');
    this.#weak = types[0].indexOf('weak');
    this.#named = new Set(
      ['property', 'internal', 'context'].map((type) => types[0].indexOf(type)),
    );
    const count = heap.nodes.length / nodeFields.length;
    const edgesField = nodeFields.indexOf('edge_count');
    this.#firstEdges = new Uint32Array(count + 1);
    for (let node = 0; node < count; node++) {
      this.#firstEdges[node + 1] = this.#firstEdges[node]! + this.#field(node, edgesField);
    }
    this.#isClaimed = new Uint8Array(count);
  }

  claim(type: string, field: string): number {
    let bytes = 0;
    for (let node = 0; node < this.#isClaimed.length; node++) {
      if (this.#heap.strings[this.#field(node, this.#nameField)] !== type) continue;
      for (const [name, target] of this.#edgesOf(node)) {
        if (name === field) bytes += this.#claimFrom(target);
      }
    }
    return bytes;
  }

  unclaimed(): number {
    let bytes = 0;
    for (const [node, isClaimed] of this.#isClaimed.entries()) {
      if (isClaimed === 0) bytes += this.#field(node, this.#sizeField);
    }
    return bytes;
  }

  #claimFrom(start: number): number {
    let bytes = 0;
    const waiting = [start];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (this.#isClaimed[node] === 1) continue;
      this.#isClaimed[node] = 1;
      bytes += this.#field(node, this.#sizeField);
      for (const [name, target] of this.#edgesOf(node)) if (!CODE.has(name)) waiting.push(target);
    }
    return bytes;
  }

  /** The name, which is '' for elements, and the node that it leads to. */
  *#edgesOf(node: number): Generator<[name: string, target: number]> {
    const { edges, strings } = this.#heap;
    for (let edge = this.#firstEdges[node]!; edge < this.#firstEdges[node + 1]!; edge++) {
      const at = edge * this.#edgeFields;
      if (edges[at] === this.#weak) continue;
      const name = this.#named.has(edges[at]!) ? strings[edges[at + 1]!]! : '';
      yield [name, edges[at + 2]! / this.#nodeFields];
    }
  }

  #field(node: number, field: number): number {
    return this.#heap.nodes[node * this.#nodeFields + field]!;
  }
}
