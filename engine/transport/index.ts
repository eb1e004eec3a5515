export { createTransport, type TransportOptions } from './transport.ts';
export { OfferError } from './offer-error.ts';
export type { VideoCodec } from './sdp/choose-media.ts';
