/**
 * Fills `{{name}}` in a JSON template. Inside quotes the value is escaped for the string around it; elsewhere it is
 * written as a JSON value, so both `{"city": "{{city}}"}` and `{"city": {{city}}}` give valid JSON. A missing value is
 * empty inside quotes and null elsewhere.
 */
export function fillBodyTemplate(template: string, values: Readonly<Record<string, unknown>>): string {
  let inString = false;
  // Escaped characters first, so that an escaped quote does not end a string.
  return template.replace(/\\.|"|\{\{\s*([A-Za-z0-9_.-]+)\s*\}\}/gs, (token, name: string | undefined) => {
    if (name === undefined) {
      if (token === '"') inString = !inString;
      return token;
    }
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (!inString) return JSON.stringify(value ?? null);
    const text = value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
    return JSON.stringify(text).slice(1, -1);
  });
}
