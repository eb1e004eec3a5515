import { Admission } from './admission.ts';
import type { Capacity } from './index.ts';

/** A capacity that does not look at the machine. @param sessions at the same time. */
export function fixedCapacity(sessions: number): Pick<Capacity, 'state'> {
  const admission = new Admission({ cores: 1, wanted: sessions, session: { cores: 0, mainThread: 0 } });
  return { state: (live) => admission.state(live) };
}
