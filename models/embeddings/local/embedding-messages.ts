/** Messages to and from the process that embeds texts. */
export type ToEmbedding = { readonly type: 'embed'; readonly id: number; readonly text: string };

export type FromEmbedding =
  | { readonly type: 'ready' }
  | { readonly type: 'vector'; readonly id: number; readonly vector: Float32Array }
  | { readonly type: 'failed'; readonly id: number };
