import { loadEntry } from './critical-section.ts';

// The first module of a thread: loads the one that the thread is for.
await loadEntry();
