export { createTransport, type TransportOptions } from './transport.ts';
export { OfferError } from './sdp/parse-offer.ts';
