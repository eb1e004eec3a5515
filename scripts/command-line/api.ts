/** What the commands ask of a service. */
export interface Api {
  /** @returns the body of the answer. @throws CommandError with the sentence of a refusal. */
  send<T>(method: string, path: string, body?: unknown): Promise<T>;
}

/** Something that whoever has called the command can put right. */
export class CommandError extends Error {}

/** @param url of the service, with or without a slash at its end. */
export function apiOf(url: string, key: string): Api {
  const base = url.replace(/\/+$/, '');
  return {
    async send<T>(method: string, path: string, body?: unknown): Promise<T> {
      const response = await fetch(base + path, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }).catch(() => {
        throw new CommandError(`${base} cannot be reached.`);
      });
      const text = await response.text();
      if (response.ok) return (text === '' ? null : JSON.parse(text)) as T;
      throw new CommandError(`${method} ${path}: ${sentenceOf(text) ?? `status ${response.status}`}`);
    },
  };
}

function sentenceOf(text: string): string | null {
  try {
    const { summary, message } = JSON.parse(text) as { summary?: string; message?: string };
    return summary ?? message ?? null;
  } catch {
    return null;
  }
}

/** @param name of a persona, or its id. @returns its id. @throws CommandError */
export async function personaNamed(api: Api, name: string): Promise<string> {
  if (/^[\da-f-]{36}$/i.test(name)) return name;
  const found = await api.send<{ data: { id: string; name: string }[] }>(
    'GET',
    `/v1/personas?perPage=100&search=${encodeURIComponent(name)}`,
  );
  const same = found.data.filter((one) => one.name === name);
  if (same.length === 1) return same[0]!.id;
  throw new CommandError(
    same.length === 0 ? `There is no persona "${name}".` : `${same.length} personas are called "${name}": give the id.`,
  );
}
