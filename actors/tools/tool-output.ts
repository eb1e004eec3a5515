/** What the LLM is told about the outcome of a tool. */

/** A result above this is cut: it would push the conversation out of the model's context (contract: 16 KiB). */
const OUTPUT_MAX_BYTES = 16 * 1024;

/** Strings as they are, anything else as JSON. A success without content says so, or models call again. */
export function toolOutput(result: unknown): string {
  if (result === undefined || result === null || result === '') return 'Done. The tool returned nothing.';
  return truncateUtf8(
    typeof result === 'string' ? result : (JSON.stringify(result) ?? 'Done. The tool returned nothing.'),
    OUTPUT_MAX_BYTES,
  );
}

export function toolErrorOutput(message: string): string {
  return truncateUtf8(`Error: ${message === '' ? 'the tool failed.' : message}`, OUTPUT_MAX_BYTES);
}

/** Text of the failed event and, as an error, of the output for the LLM. */
export function toolTimeoutMessage(seconds: number): string {
  return `no response from the client within ${seconds} seconds`;
}

/** A client tool that nobody waits for. */
export const FIRE_AND_FORGET_OUTPUT = 'ok';

/** Cuts at a character, never inside one. */
export function truncateUtf8(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text).subarray(0, maxBytes);
  let end = bytes.length;
  // Back to the first byte of the last character when that one is incomplete.
  while (end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  const lead = bytes[end - 1] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return bytes.subarray(0, end - 1 + length <= bytes.length ? end - 1 + length : end - 1).toString('utf8');
}
