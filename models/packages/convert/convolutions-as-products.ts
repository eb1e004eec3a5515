import { ConversionError } from './conversion-error.ts';
import type { OnnxFile, OnnxNode, OnnxTensor } from './onnx-file.ts';
import { INT64, INT8, UINT8, type NodeContent } from './onnx-messages.ts';

/** Where ONNX Runtime has products of 8-bit numbers that give fractions at once. */
const MICROSOFT = 'com.microsoft';
/** Behind the end of every axis. */
const END = 2 ** 31;
/** Makes 0…255 to -128…127. */
const MIDDLE = 128;

/**
 * A convolution of 8-bit numbers along one axis, with all that stands around it: what comes is quantized, the sums are made to
 * fractions again, and the bias, which is quantized too, is added to them.
 */
interface Convolution {
  readonly node: OnnxNode;
  /** Of 8 bits: quantized as it came. */
  readonly input: string;
  readonly inputScale: string;
  readonly inputZero: string;
  readonly weights: OnnxTensor;
  readonly weightScale: string;
  readonly weightZero: number;
  /** Fractions; null: none. */
  readonly bias: string | null;
  /** Gives what the convolution means; is replaced. */
  readonly last: OnnxNode;
  /** Between them; have no use any more. */
  readonly between: readonly OnnxNode[];
}

/**
 * Replaces convolutions of 8-bit numbers (`ConvInteger`) by products of matrices. They mean the same: the steps that a
 * convolution looks at are laid side by side, and the weights are put into the same order. ONNX Runtime sorts the input of
 * `ConvInteger` number by number, and its product is of the slower kind: Kokoro takes 2.7 times as long with it.
 * @returns how many were replaced. @throws ConversionError
 */
export function convolutionsAsProducts(file: OnnxFile): number {
  const found = file.nodes.filter(({ type }) => type === 'ConvInteger').flatMap((node) => convolution(file, node));
  for (const each of found) {
    for (const node of [each.node, ...each.between]) file.replace(node, []);
    file.replace(each.last, product(file, each));
  }
  return found.length;
}

/** @returns none for a convolution of another kind: it stays as it is. @throws ConversionError */
function convolution(file: OnnxFile, node: OnnxNode): Convolution[] {
  const [input = '', weightName = '', inputZero = '', zeroName = ''] = node.inputs;
  const weights = file.tensor(weightName);
  const zero = file.tensor(zeroName);
  if (weights === null || zero === null || weights.shape.length !== 3 || zero.bytes.length !== 1) return [];
  if (weights.type !== UINT8 || node.whole('strides')[0] !== 1 || node.whole('group')[0] !== 1) return [];
  const quantize = file.makerOf(input);
  if (quantize?.type !== 'DynamicQuantizeLinear') return [];
  const [first, second] = following(file, node, 2);
  const between = first?.type === 'Add' ? [first, second] : [first];
  const cast = between.at(-1);
  const last = cast && following(file, cast, 1)[0];
  if (cast?.type !== 'Cast' || last?.type !== 'Mul') return [];
  const scale = file.makerOf(other(last, cast.outputs));
  const inputScale = quantize.outputs[1] as string;
  if (scale?.type !== 'Mul' || !scale.inputs.includes(inputScale)) return [];
  return [
    {
      node,
      input,
      inputScale,
      inputZero,
      weights,
      last,
      between: between.filter((each) => each !== undefined),
      weightScale: other(scale, [inputScale]),
      weightZero: zero.bytes[0] as number,
      bias: first?.type === 'Add' ? biasOf(file, other(first, node.outputs)) : null,
    },
  ];
}

/** The nodes behind a node, where each one's value is used once. */
function following(file: OnnxFile, node: OnnxNode, count: number): (OnnxNode | undefined)[] {
  const users = file.usersOf(node.outputs[0] as string);
  const next = users.length === 1 ? users[0] : undefined;
  if (next === undefined || count === 1) return [next];
  return [next, ...following(file, next, count - 1)];
}

/** The input of a node with two that is not one of these. */
function other({ inputs }: OnnxNode, these: readonly string[]): string {
  return inputs.find((name) => !these.includes(name)) ?? '';
}

/** A bias is divided by the scale of the sums and made whole: @returns the fractions that it was made of. */
function biasOf(file: OnnxFile, quantized: string): string {
  let name = quantized;
  for (const type of ['Reshape', 'Cast', 'Floor', 'Div']) {
    const node = file.makerOf(name);
    if (node?.type !== type) throw new ConversionError(`The bias ${quantized} is not quantized as expected.`);
    name = node.inputs[0] as string;
  }
  return name;
}

/** [1, channels, time] → [1, time, channels] → the steps side by side → the product → [1, channels, time]. */
function product(file: OnnxFile, { input, inputScale, inputZero, bias, last, ...rest }: Convolution): NodeContent[] {
  const [result = ''] = last.outputs;
  const nodes: NodeContent[] = [];
  const op = (type: string, inputs: readonly string[], more: Partial<NodeContent> = {}): string => {
    const name = `${result}/${nodes.length}`;
    nodes.push({ name, type, inputs, outputs: [name], ...more });
    return name;
  };
  const turned = op('Transpose', [input], { attributes: { perm: [0, 2, 1] } });
  const sideBySide = steps(file, rest.node, turned, inputZero, op);
  const { matrix, zero } = weightsInOrder(file, rest);
  const inputs = [sideBySide, matrix, inputScale, rest.weightScale, inputZero, zero, ...(bias === null ? [] : [bias])];
  const made = op('MatMulIntegerToFloat', inputs, { domain: MICROSOFT });
  op('Transpose', [made], { attributes: { perm: [0, 2, 1] }, outputs: [result] });
  return nodes;
}

/** Lays the steps that a kernel looks at side by side: [1, time, channels] → [1, time, kernel × channels]. */
function steps(
  file: OnnxFile,
  node: OnnxNode,
  turned: string,
  zero: string,
  op: (type: string, inputs: readonly string[], more?: Partial<NodeContent>) => string,
): string {
  const [kernel = 1] = node.whole('kernel_shape');
  const [distance = 1] = node.whole('dilations');
  const [before = 0, after = 0] = node.whole('pads');
  if (kernel === 1 && before + after === 0) return turned;
  const whole = (...values: readonly number[]): string =>
    file.add({
      name: `whole ${values.join()}`,
      shape: [values.length],
      type: INT64,
      values: BigInt64Array.from(values, BigInt),
    });
  const padded = op('Pad', [turned, whole(0, before, 0, 0, after, 0), zero]);
  const span = (kernel - 1) * distance;
  const shifted = Array.from({ length: kernel }, (_, step) => {
    const from = step * distance;
    return op('Slice', [padded, whole(from), whole(from === span ? END : from - span), whole(1)]);
  });
  return op('Concat', shifted, { attributes: { axis: 2 } });
}

/** [out, channels, kernel] → [kernel × channels, out], with a sign: for those there are instructions. */
function weightsInOrder(
  file: OnnxFile,
  { node, weights, weightZero }: Pick<Convolution, 'node' | 'weights' | 'weightZero'>,
): { matrix: string; zero: string } {
  const [out = 0, channels = 0, kernel = 0] = weights.shape;
  const name = node.inputs[1] as string;
  if (weights.bytes.length !== out * channels * kernel) throw new ConversionError(`The weights ${name} are cut off.`);
  const values = new Int8Array(weights.bytes.length);
  for (let to = 0; to < out; to++)
    for (let channel = 0; channel < channels; channel++)
      for (let step = 0; step < kernel; step++)
        values[(step * channels + channel) * out + to] =
          (weights.bytes[(to * channels + channel) * kernel + step] as number) - MIDDLE;
  return {
    matrix: file.add({ name: `${name} in order`, shape: [kernel * channels, out], type: INT8, values }),
    zero: file.add({
      name: `zero ${weightZero}`,
      shape: [],
      type: INT8,
      values: Int8Array.of(weightZero - MIDDLE),
    }),
  };
}
