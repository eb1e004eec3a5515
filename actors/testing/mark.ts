import { serviceMark } from '../phrases/service-mark.ts';
import { countingIds } from './simulated-session.ts';

/** Of every simulated session. */
export const MARK = serviceMark(countingIds());
