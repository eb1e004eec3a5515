import { callApi, type ServiceAccess } from './service.ts';

/** Set during a run of the tests: where files ask for their place on the service that they share. */
export const SHARED_SERVICE = 'E2E_SHARED_SERVICE';

/** An organization of the file's own. */
export interface Place {
  readonly url: string;
  readonly apiKey: string;
}

let used = false;

/**
 * For files that need none of the settings, do not stop the service, and look at nothing but their own organization.
 * @returns the service that they share.
 */
export async function sharedService(): Promise<ServiceAccess> {
  used = true;
  const { url, apiKey } = (await ask('/place')) as Place;
  return { url, apiKey, api: (method, path, body) => callApi(url, apiKey, { method, path, body }) };
}

/** @returns what it wrote, if tests of this process use it. */
export const sharedOutput = async (): Promise<readonly string[]> => (used ? [(await ask('/output')) as string] : []);

async function ask(path: string): Promise<unknown> {
  const answer = await fetch(`${process.env[SHARED_SERVICE]}${path}`);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}
