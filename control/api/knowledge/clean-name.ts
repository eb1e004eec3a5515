/** The last part of a path, without control characters. */
export function cleanName(filename: string): string {
  return filename.split(/[/\\]/).at(-1)!.replaceAll(/\p{C}/gu, '').trim().slice(0, 255) || 'document';
}
