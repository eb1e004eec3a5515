/** Which sessions are shown. Empty: any. Days are those of this browser. */
export interface SessionFilters {
  readonly words: string;
  readonly personaId: string;
  /** Of that persona; 0 is its draft. */
  readonly personaVersion: string;
  readonly apiKeyId: string;
  readonly userId: string;
  readonly outcome: string;
  readonly source: string;
  readonly grade: string;
  readonly from: string;
  readonly to: string;
}
export const NO_FILTERS: SessionFilters = {
  words: '',
  personaId: '',
  personaVersion: '',
  apiKeyId: '',
  userId: '',
  outcome: '',
  source: '',
  grade: '',
  from: '',
  to: '',
};

/** @returns the query of the API. */
export function queryOf({ from, to, ...others }: SessionFilters): string {
  const query = new URLSearchParams(Object.entries(others).filter(([, value]) => value !== ''));
  if (from !== '') query.set('from', new Date(from).toISOString());
  if (to !== '') query.set('to', new Date(to).toISOString());
  return query.toString();
}
