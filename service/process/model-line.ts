import { SLOWEST, type LocalModelNote } from '../../engine/index.ts';

/** @returns a line for people about a model that is in the models folder. */
export function modelLine({ id, title, kind, state, realTimeFactor, problem }: LocalModelNote): string {
  const speed = realTimeFactor === null ? '' : `${realTimeFactor.toFixed(2)} s for a second of sound`;
  switch (state) {
    case 'used':
      return `${title}: ${speed}`;
    case 'too slow':
      return `${title}: not used, this machine needs ${speed}, and the limit is ${SLOWEST[kind as keyof typeof SLOWEST].toFixed(2)} (PARLEY_LOCAL_MODELS=all uses it)`;
    case 'too few cores':
      return `${title}: not used, this machine has too few cores for it (PARLEY_LOCAL_MODELS=all uses it)`;
    case 'unusable':
      return `${title}: not used, it cannot be loaded (node scripts/models.ts check ${id}). ${problem ?? ''}`;
    case 'damaged':
      return `${title}: not used, its files are not whole: node scripts/models.ts fetch ${id}`;
  }
}
