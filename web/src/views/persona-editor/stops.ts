interface Range {
  readonly minimum: number;
  readonly maximum: number;
}

/** @returns every value of a range, in steps that can be told apart. */
export function everyStep({ minimum, maximum }: Range, step: number): readonly number[] {
  const count = Math.round((maximum - minimum) / step);
  return Array.from({ length: count + 1 }, (_, index) => rounded(minimum + index * step));
}

/** Times that people name, in seconds: fine where they are short. */
const TIMES = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 90, 120, 150, 180, 240, 300, 420, 600, 900,
  1200, 1800, 2700, 3600, 5400, 7200,
];

/** @returns seconds of a range that is too long for equal steps. */
export function times({ minimum, maximum }: Range): readonly number[] {
  return [...new Set([minimum, ...TIMES.filter((time) => time > minimum && time < maximum), maximum])];
}

/** 90 → "1 min 30 s". */
export function timeText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = Math.round(seconds - minutes * 60);
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

export const percent = (value: number): string => `${Math.round(value * 100)} %`;

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
