const KB_PER_MB = 1024;
/** glibc maps each arena but the first at a multiple of this, with at most so many bytes (`HEAP_MAX_SIZE`). */
const ARENA_BYTES = 64n * 1024n * 1024n;

/** What a mapping is for, as far as its name and place tell. */
function kindOf(name: string, start: bigint, flags: string): string {
  if (name === '[heap]') return 'allocator, first arena';
  if (name.startsWith('[stack')) return 'stack';
  if (name.startsWith('/memfd') || name.startsWith('/dev/zero')) return 'shared memory';
  if (name.endsWith('.avatar')) return 'faces';
  if (name.startsWith('/')) return flags.startsWith('r-x') ? 'code' : 'files';
  if (flags.includes('x')) return 'compiled JavaScript';
  return start % ARENA_BYTES === 0n ? 'allocator, further arenas' : 'heaps, large blocks';
}

/** @param smaps of proc(5). @returns MB by kind (PSS), the largest first. */
export function memoryParts(smaps: string): (readonly [kind: string, mb: number])[] {
  const parts = new Map<string, number>();
  let kind = '';
  for (const line of smaps.split('\n')) {
    const mapping = /^([0-9a-f]+)-[0-9a-f]+ (\S+) \S+ \S+ \S+\s*(.*)$/.exec(line);
    if (mapping !== null) kind = kindOf(mapping[3]!, BigInt(`0x${mapping[1]}`), mapping[2]!);
    const pss = /^Pss:\s+(\d+)/.exec(line);
    if (pss !== null) parts.set(kind, (parts.get(kind) ?? 0) + Number(pss[1]) / KB_PER_MB);
  }
  return [...parts].toSorted((a, b) => b[1] - a[1]);
}
