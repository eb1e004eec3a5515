/** Where a service is and who may use it. */
export interface ServiceAddress {
  readonly url: string;
  readonly apiKey: string;
}

/** @returns the parsed answer. @throws Error with the answer when its status is not 2xx. */
export async function callApi<T>(
  { url, apiKey }: ServiceAddress,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const answer = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} → ${answer.status} ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as T;
}
