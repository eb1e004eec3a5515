import type { RunningService } from './service.ts';

/** Uploads an image as the console does. */
export async function uploadPortrait(
  service: RunningService,
  image: Uint8Array<ArrayBuffer>,
  displayName: string,
): Promise<{ status: number; body: Record<string, string> }> {
  const form = new FormData();
  form.set('displayName', displayName);
  form.set('imageFile', new Blob([image]), 'portrait');
  const response = await fetch(`${service.url}/v1/avatars`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.apiKey}` },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}
