import { readSettings, SettingsError } from '../settings/settings.ts';

/** What the service would say about these settings when it is started. */
export function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}
