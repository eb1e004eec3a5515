/** A BERT that is as small as one can be, with weights out of a formula: files as their publishers make them. */

export const TINY_BERT = { width: 8, heads: 2, layers: 2, inner: 16, tokens: 12, places: 512 } as const;

/** Small numbers without a pattern that a mistake could follow. */
function numbers(count: number, seed: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => Math.sin(12.9898 * (i + 1) + 78.233 * seed) * 0.7);
}

export function tinyBertWeights(): ReadonlyMap<
  string,
  { readonly shape: readonly number[]; readonly data: Float32Array }
> {
  const { width, layers, inner, tokens, places } = TINY_BERT;
  const shapes: [string, number[]][] = [
    ['embeddings.word_embeddings.weight', [tokens, width]],
    ['embeddings.position_embeddings.weight', [places, width]],
    ['embeddings.token_type_embeddings.weight', [2, width]],
    ['embeddings.LayerNorm.weight', [width]],
    ['embeddings.LayerNorm.bias', [width]],
  ];
  const linear = (name: string, rows: number, columns: number): void =>
    void shapes.push([`${name}.weight`, [rows, columns]], [`${name}.bias`, [rows]]);
  for (let layer = 0; layer < layers; layer++) {
    const name = `encoder.layer.${layer}`;
    for (const part of ['query', 'key', 'value']) linear(`${name}.attention.self.${part}`, width, width);
    linear(`${name}.attention.output.dense`, width, width);
    shapes.push(
      [`${name}.attention.output.LayerNorm.weight`, [width]],
      [`${name}.attention.output.LayerNorm.bias`, [width]],
    );
    linear(`${name}.intermediate.dense`, inner, width);
    linear(`${name}.output.dense`, width, inner);
    shapes.push([`${name}.output.LayerNorm.weight`, [width]], [`${name}.output.LayerNorm.bias`, [width]]);
  }
  return new Map(
    shapes.map(([name, shape], seed) => [
      name,
      {
        shape,
        data: numbers(
          shape.reduce((a, b) => a * b, 1),
          seed,
        ),
      },
    ]),
  );
}

/** As a file of safetensors. */
export function tinySafetensors(weights = tinyBertWeights(), dtype = 'F32'): Buffer {
  let at = 0;
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
  for (const [name, { shape, data }] of weights) {
    header[name] = { dtype, shape, data_offsets: [at, at + data.byteLength] };
    at += data.byteLength;
  }
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, ...[...weights.values()].map(({ data }) => Buffer.from(data.buffer))]);
}

export function tinyBertConfig(changes: Record<string, unknown> = {}): string {
  const { width, heads, layers } = TINY_BERT;
  return JSON.stringify({
    model_type: 'bert',
    hidden_act: 'gelu',
    hidden_size: width,
    num_attention_heads: heads,
    num_hidden_layers: layers,
    layer_norm_eps: 1e-12,
    ...changes,
  });
}

/** Twelve tokens: marks, letters, and one word. */
export function tinyTokenizer(): { readonly tokenizer: object; readonly config: object } {
  const words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'open', 'close', '##d', '##s', 'a', 'b', '.'];
  const special = words.slice(0, 5).map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
  return {
    tokenizer: {
      added_tokens: special,
      normalizer: {
        type: 'BertNormalizer',
        clean_text: true,
        handle_chinese_chars: true,
        strip_accents: null,
        lowercase: true,
      },
      pre_tokenizer: { type: 'BertPreTokenizer' },
      post_processor: {
        type: 'TemplateProcessing',
        single: [
          { SpecialToken: { id: '[CLS]', type_id: 0 } },
          { Sequence: { id: 'A', type_id: 0 } },
          { SpecialToken: { id: '[SEP]', type_id: 0 } },
        ],
        pair: [],
        special_tokens: {
          '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
          '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
        },
      },
      decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
      model: {
        type: 'WordPiece',
        unk_token: '[UNK]',
        continuing_subword_prefix: '##',
        max_input_chars_per_word: 100,
        vocab: Object.fromEntries(words.map((word, id) => [word, id])),
      },
    },
    config: { do_lower_case: true, tokenizer_class: 'BertTokenizer', model_max_length: 512 },
  };
}
