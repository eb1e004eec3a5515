/** A document from which no passages can be made. `message` tells the person who uploaded it why. */
export class UnreadableDocumentError extends Error {
  override readonly name = 'UnreadableDocumentError';
}
