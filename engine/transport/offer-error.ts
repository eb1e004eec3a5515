/** An offer that cannot be answered. The message names what is missing; it holds nothing of the offer itself. */
export class OfferError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OfferError';
  }
}
