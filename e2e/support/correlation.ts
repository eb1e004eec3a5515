/** @returns -1 … 1; 1: both are the same, but for brightness and contrast. */
export function correlation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  let [both, ofA, ofB] = [0, 0, 0];
  for (let i = 0; i < a.length; i += 1) {
    const [fromA, fromB] = [a[i]! - meanA, b[i]! - meanB];
    both += fromA * fromB;
    ofA += fromA * fromA;
    ofB += fromB * fromB;
  }
  return ofA === 0 || ofB === 0 ? 0 : both / Math.sqrt(ofA * ofB);
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += values[i]!;
  return sum / Math.max(1, values.length);
}
