import { limitedBody } from '../../models/http/limited-body.ts';

/** Reads a response as UTF-8 up to a limit in bytes and drops the rest without waiting for it. */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of limitedBody(response.body, { beyond: 'cut', bodyBytes: maxBytes }))
    text += decoder.decode(piece, { stream: true });
  // A character that the limit cut in two is left out.
  return text;
}
