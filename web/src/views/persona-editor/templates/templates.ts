import { customerInterview } from './customer-interview.ts';
import { guide } from './guide.ts';
import { interviewCoach } from './interview-coach.ts';
import { languageTutor } from './language-tutor.ts';
import { receptionist } from './receptionist.ts';
import { support } from './support.ts';
import type { PersonaTemplate } from './template.ts';

/** In the order in which they are offered. A new one is a file and an entry here. */
export const TEMPLATES: readonly PersonaTemplate[] = [
  receptionist,
  support,
  languageTutor,
  interviewCoach,
  customerInterview,
  guide,
];
