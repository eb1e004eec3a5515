import { Admission } from '../../capacity/admission.ts';
import type { Capacity } from '../../capacity/index.ts';

/** A capacity that does not look at the machine. @param sessions at the same time. */
export function fixedCapacity(sessions: number): Pick<Capacity, 'state'> {
  const admission = new Admission({ cores: 1, wanted: sessions, session: { cores: 0, mainThread: 0 } });
  return { state: (live) => admission.state(live) };
}
