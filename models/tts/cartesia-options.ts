export const PROVIDER = 'cartesia';
export const API_VERSION = '2025-04-16';
export const BASE_URL = 'https://api.cartesia.ai';
export const SAMPLE_RATE = 24_000;

/** Languages of the models sonic-3 and later: https://docs.cartesia.ai/build-with-cartesia/tts-models/sonic-3-5 */
export const LANGUAGES: readonly string[] =
  'en de es fr ja pt zh hi ko it nl pl ru sv tr tl bg ro ar cs el fi hr ms sk da ta uk hu no vi bn th he ka id te gu kn ml mr pa'.split(
    ' ',
  );
