/** A process that frees a large block and has another one, and tells how many of its blocks are mappings then. */
import koffi from 'koffi';
import { limitAllocator } from '../allocator.ts';

const BYTES = 4 * 1024 * 1024;

if (process.argv[2] === 'bounded') limitAllocator();
const system = koffi.load(null);
const malloc = system.func('void *malloc(size_t bytes)');
const free = system.func('void free(void *block)');
const sizes = [
  'arena',
  'ordblks',
  'smblks',
  'hblks',
  'hblkhd',
  'usmblks',
  'fsmblks',
  'uordblks',
  'fordblks',
  'keepcost',
];
const mallinfo2 = system.func('mallinfo2', koffi.struct(Object.fromEntries(sizes.map((name) => [name, 'size_t']))), []);
const mapped = (): number => Number((mallinfo2() as { hblks: number }).hblks);

free(malloc(BYTES));
const before = mapped();
const block: unknown = malloc(BYTES);
process.send!(mapped() - before);
free(block);
process.channel?.unref();
