/**
 * How long a test waits for what must happen, in ms. On a quiet machine it comes at once, on a starved one a hundred
 * times later; only a test that fails takes this long. What is tested is that it comes, never how soon.
 */
export const TEST_TIMEOUT_MS = 60_000;
