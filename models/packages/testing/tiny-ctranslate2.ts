/** A Whisper of CTranslate2 with one layer and random weights: the real form, and small. */

const WIDTH = 8;
const LETTERS = ['!', '"', 'a', 'b', 'Ġ'];
const SPECIAL = ['endoftext', 'startoftranscript', 'en', 'it', 'translate', 'transcribe', 'startoflm', 'startofprev'];

/** @returns the content of `vocabulary.txt`. */
export function tinyVocabulary(): string {
  return [...LETTERS, ...[...SPECIAL, 'nospeech', 'notimestamps'].map((name) => `<|${name}|>`)].join('\n');
}

const TOKENS = LETTERS.length + SPECIAL.length + 2;

/** @param version of the file; 6 is the one that is read. */
export function tinyCTranslate2({ version = 6, spec = 'WhisperSpec' } = {}): Buffer {
  const variables: Buffer[] = [];
  let seed = 1;
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647 - 0.5;
  };
  const floats = (name: string, ...shape: number[]): void => {
    const count = shape.reduce((product, length) => product * length, 1);
    const data = Buffer.alloc(4 * count);
    for (let i = 0; i < count; i++) data.writeFloatLE(random(), 4 * i);
    variables.push(variable(name, shape, 0, data));
  };
  const linear = (name: string, outs: number, ins = WIDTH): void => {
    floats(`${name}/weight`, outs, ins);
    floats(`${name}/bias`, outs);
  };
  const norm = (name: string): void => {
    floats(`${name}/gamma`, WIDTH);
    floats(`${name}/beta`, WIDTH);
  };
  const feedForward = (name: string): void => {
    norm(`${name}/layer_norm`);
    linear(`${name}/linear_0`, 4 * WIDTH);
    linear(`${name}/linear_1`, WIDTH, 4 * WIDTH);
  };
  const selfAttention = (name: string): void => {
    norm(`${name}/layer_norm`);
    linear(`${name}/linear_0`, 3 * WIDTH);
    linear(`${name}/linear_1`, WIDTH);
  };
  for (const part of ['encoder', 'decoder']) {
    const heads = Buffer.alloc(2);
    heads.writeInt16LE(2);
    variables.push(variable(`${part}/num_heads`, [], 2, heads));
    selfAttention(`${part}/layer_0/self_attention`);
    feedForward(`${part}/layer_0/ffn`);
    norm(`${part}/layer_norm`);
  }
  floats('encoder/conv1/weight', WIDTH, 80, 3);
  floats('encoder/conv1/bias', WIDTH);
  floats('encoder/conv2/weight', WIDTH, WIDTH, 3);
  floats('encoder/conv2/bias', WIDTH);
  floats('encoder/position_encodings/encodings', 1_500, WIDTH);
  floats('decoder/embeddings/weight', TOKENS, WIDTH);
  floats('decoder/position_encodings/encodings', 448, WIDTH);
  norm('decoder/layer_0/attention/layer_norm');
  linear('decoder/layer_0/attention/linear_0', WIDTH);
  linear('decoder/layer_0/attention/linear_1', 2 * WIDTH);
  linear('decoder/layer_0/attention/linear_2', WIDTH);
  return Buffer.concat([u32(version), text(spec), u32(3), u32(variables.length), ...variables, u32(0)]);
}

function variable(name: string, shape: readonly number[], type: number, data: Buffer): Buffer {
  return Buffer.concat([
    text(name),
    Buffer.of(shape.length),
    ...shape.map(u32),
    Buffer.of(type),
    u32(data.length),
    data,
  ]);
}

function text(value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16LE(value.length + 1);
  return Buffer.concat([length, Buffer.from(`${value}\0`)]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
