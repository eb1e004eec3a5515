export type FloorOwner = 'nobody' | 'user' | 'persona' | 'both';

/** @param value state of the floor machine. @returns who has the floor; 'both' while an overlap is being judged. */
export function floorOwner(value: unknown): FloorOwner {
  if (typeof value !== 'object' || value === null) return 'nobody';
  const { user, persona } = value as { user?: unknown; persona?: unknown };
  const userSpeaks = user === 'talking' || user === 'pausing';
  const personaSpeaks = persona === 'audible';
  if (userSpeaks && personaSpeaks) return 'both';
  return userSpeaks ? 'user' : personaSpeaks ? 'persona' : 'nobody';
}
