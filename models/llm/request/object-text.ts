/** @returns the arguments of a call as an object; an empty one for what is no object. */
export function objectOf(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : {};
  } catch {
    return {};
  }
}

/** @returns the same text if it is a JSON object, otherwise an empty object. */
export function objectText(text: string): string {
  return Object.keys(objectOf(text)).length === 0 ? '{}' : text;
}
