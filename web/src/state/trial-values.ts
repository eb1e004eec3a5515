import { getPersona } from '../api/routes.ts';
import type { Persona } from '../api/types.ts';

/** In a trial nobody gives values: variables without a default have their examples. */
export function valuesOfTrial(variables: Persona['variables']): Record<string, string> {
  return Object.fromEntries(
    variables.flatMap(({ name, default: byDefault, example }) =>
      byDefault === null && example !== null ? [[name, example]] : [],
    ),
  );
}

/** @returns the configuration of a session, with examples as the values of a saved persona that has none here. */
export async function withExamples(
  config: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  if (typeof config['personaId'] !== 'string' || config['variableValues'] !== undefined) return config;
  const variableValues = valuesOfTrial((await getPersona(config['personaId'])).variables);
  return Object.keys(variableValues).length === 0 ? config : { ...config, variableValues };
}
