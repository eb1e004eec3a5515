import { closeSync, openSync } from 'node:fs';
import { ConversionError } from './conversion-error.ts';
import {
  INT8,
  nodeMessage,
  tensorMessage,
  UINT8,
  writeWhole,
  type NodeContent,
  type TensorContent,
} from './onnx-messages.ts';
import {
  bytesField,
  bytesHead,
  intField,
  readFields,
  readVarints,
  signed,
  textField,
  writeField,
  type Field,
} from './protobuf.ts';

/** Fields of a model. */
const GRAPH = 7;
const OPERATORS = 8;
/** Fields of a graph. */
const NODES = 1;
const TENSORS = 5;
const INPUTS = 11;
const OUTPUTS = 12;

export interface OnnxNode {
  readonly name: string;
  readonly type: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** @returns the whole numbers of an attribute; none where it is not there. */
  whole(attribute: string): readonly number[];
}

/** Numbers that are part of the file. */
export interface OnnxTensor {
  readonly shape: readonly number[];
  /** As `onnx-messages` names it. */
  readonly type: number;
  /** Little-endian. */
  readonly bytes: Buffer;
}

/** A node that was read, with its bytes. */
interface ReadNode extends OnnxNode {
  readonly message: Buffer;
}

/** A file of ONNX of which some nodes are replaced by others, and everything else is kept as it is. */
export class OnnxFile {
  readonly #rest: readonly Field[];
  readonly #restOfGraph: readonly Field[];
  readonly #nodes: readonly ReadNode[];
  readonly #tensors = new Map<string, Buffer>();
  readonly #made = new Map<string, ReadNode>();
  readonly #users = new Map<string, ReadNode[]>();
  readonly #replaced = new Map<OnnxNode, readonly NodeContent[]>();
  readonly #added = new Map<string, TensorContent>();

  /** @throws ConversionError */
  constructor(file: Buffer) {
    const top = readFields(file);
    const graph = top.find(({ field }) => field === GRAPH)?.value;
    if (!(graph instanceof Buffer)) throw new ConversionError('The file is not one of ONNX.');
    const fields = readFields(graph);
    const messages = (field: number): Buffer[] =>
      fields.flatMap((each) => (each.field === field && each.value instanceof Buffer ? [each.value] : []));
    this.#rest = top.filter(({ field }) => field !== GRAPH);
    this.#restOfGraph = fields.filter(({ field }) => field !== NODES && field !== TENSORS);
    this.#nodes = messages(NODES).map(readNode);
    for (const tensor of messages(TENSORS)) this.#tensors.set(textOf(readFields(tensor), 8), tensor);
    for (const node of this.#nodes) {
      for (const name of node.outputs) this.#made.set(name, node);
      for (const name of node.inputs) this.#users.set(name, [...(this.#users.get(name) ?? []), node]);
    }
  }

  get nodes(): readonly OnnxNode[] {
    return this.#nodes;
  }

  /** @returns the names of what the graph takes (`inputs`) or gives. */
  names(which: 'inputs' | 'outputs'): string[] {
    const wanted = which === 'inputs' ? INPUTS : OUTPUTS;
    return this.#restOfGraph.flatMap(({ field, value }) =>
      field === wanted && value instanceof Buffer ? [textOf(readFields(value), 1)] : [],
    );
  }

  /** @returns the node that makes a value; null: none, it is a tensor or comes from outside. */
  makerOf(value: string): OnnxNode | null {
    return this.#made.get(value) ?? null;
  }

  usersOf(value: string): readonly OnnxNode[] {
    return this.#users.get(value) ?? [];
  }

  /** @returns null where no tensor has this name. @throws ConversionError for one that is not stored as bytes. */
  tensor(name: string): OnnxTensor | null {
    const message = this.#tensors.get(name);
    if (message === undefined) return null;
    const fields = readFields(message);
    const type = wholeOf(fields, 2)[0] ?? 0;
    let bytes = fields.find(({ field }) => field === 9)?.value;
    // A few of 8 bits are stored one by one.
    if (type === UINT8 || type === INT8) bytes ??= Buffer.from(wholeOf(fields, 5));
    if (!(bytes instanceof Buffer)) throw new ConversionError(`The weights ${name} are not stored as bytes.`);
    return { shape: wholeOf(fields, 1), type, bytes };
  }

  /** @param nodes stand where this node stood; none: it is left out. */
  replace(node: OnnxNode, nodes: readonly NodeContent[]): void {
    this.#replaced.set(node, nodes);
  }

  /** Adds a tensor unless one of this name was added before. @returns its name */
  add(tensor: TensorContent): string {
    if (!this.#added.has(tensor.name)) this.#added.set(tensor.name, tensor);
    return tensor.name;
  }

  /** Writes it, without what nothing uses any more. @param metadata fields that are appended. */
  write(path: string, metadata: Buffer): void {
    const nodes = this.#usedNodes();
    const used = new Set(nodes.flatMap(({ inputs }) => inputs));
    const graph = [
      ...nodes.map(({ message }) => bytesField(NODES, message)),
      ...[...this.#tensors].filter(([name]) => used.has(name)).map(([, tensor]) => bytesField(TENSORS, tensor)),
      ...[...this.#added.values()].map((tensor) => bytesField(TENSORS, tensorMessage(tensor))),
      ...this.#restOfGraph.map(writeField),
    ];
    const size = graph.reduce((sum, { length }) => sum + length, 0);
    const file = openSync(path, 'wx', 0o600);
    try {
      const head = [...this.#rest.map(writeField), ...this.#newOperators(), bytesHead(GRAPH, size)];
      for (const part of [...head, ...graph, metadata]) writeWhole(file, part);
    } finally {
      closeSync(file);
    }
  }

  /** Whose operators the new nodes are, where the file had none of them. */
  #newOperators(): Buffer[] {
    const known = this.#rest.flatMap(({ field, value }) =>
      field === OPERATORS && value instanceof Buffer ? [textOf(readFields(value), 1)] : [],
    );
    const wanted = new Set([...this.#replaced.values()].flat().map(({ domain = '' }) => domain));
    return [...wanted]
      .filter((domain) => domain !== '' && !known.includes(domain))
      .map((domain) => bytesField(OPERATORS, Buffer.concat([textField(1, domain), intField(2, 1)])));
  }

  #usedNodes(): Pick<ReadNode, 'inputs' | 'message'>[] {
    const all = this.#nodes.flatMap((node): Pick<ReadNode, 'inputs' | 'outputs' | 'message'>[] => {
      const others = this.#replaced.get(node);
      return others?.map((other) => ({ ...other, message: nodeMessage(other) })) ?? [node];
    });
    const wanted = new Set(this.names('outputs'));
    // From the end, where the outputs are made: a node stands behind those whose values it takes.
    const used = all.toReversed().filter(({ inputs, outputs }) => {
      if (!outputs.some((name) => wanted.has(name))) return false;
      for (const name of inputs) wanted.add(name);
      return true;
    });
    return used.toReversed();
  }
}

function readNode(message: Buffer): ReadNode {
  const fields = readFields(message);
  const texts = (wanted: number): string[] =>
    fields.flatMap(({ field, value }) => (field === wanted ? [value.toString()] : []));
  const attributes = fields.flatMap(({ field, value }) =>
    field === 5 && value instanceof Buffer ? [readFields(value)] : [],
  );
  return {
    message,
    name: textOf(fields, 3),
    type: textOf(fields, 4),
    inputs: texts(1),
    outputs: texts(2),
    whole(name) {
      const found = attributes.find((attribute) => textOf(attribute, 1) === name) ?? [];
      return [...wholeOf(found, 3), ...wholeOf(found, 8)];
    },
  };
}

function textOf(fields: readonly Field[], wanted: number): string {
  return fields.find(({ field }) => field === wanted)?.value.toString() ?? '';
}

/** Whole numbers one by one, or several in one field. */
function wholeOf(fields: readonly Field[], wanted: number): number[] {
  return fields.flatMap(({ field, value }) => {
    if (field !== wanted) return [];
    return typeof value === 'bigint' ? [signed(value)] : readVarints(value);
  });
}
