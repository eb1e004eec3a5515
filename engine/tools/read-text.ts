/** Reads a response as UTF-8 up to a limit in bytes and drops the rest without waiting for it. */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const part = chunk.subarray(0, maxBytes - bytes);
    bytes += part.length;
    text += decoder.decode(part, { stream: true });
    if (bytes >= maxBytes) return text;
  }
  return text + decoder.decode();
}
