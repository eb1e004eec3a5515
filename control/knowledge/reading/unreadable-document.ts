/** No passages can be made of a document. `message` tells whoever uploaded it why. */
export class UnreadableDocumentError extends Error {
  override readonly name = 'UnreadableDocumentError';
}
