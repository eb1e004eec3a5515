/** What npm's lock file says of a package that fits one platform only. */
export interface LockedPlatform {
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openbsd', 'openharmony', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'];

/**
 * Reads the platform from the name of a native package, such as `@napi-rs/canvas-linux-x64-musl`.
 * @returns null when the name tells no platform.
 */
export function lockedPlatform(name: string): LockedPlatform | null {
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  const os = SYSTEMS.find((system) => words.includes(system));
  const cpu = PROCESSORS.find((processor) => words.includes(processor));
  if (os === undefined || cpu === undefined) return null;
  const libc = os !== 'linux' ? undefined : words.some((word) => word.startsWith('musl')) ? 'musl' : glibc(words);
  return { os: [os], cpu: [cpu], ...(libc !== undefined && { libc: [libc] }) };
}

function glibc(words: readonly string[]): 'glibc' | undefined {
  return words.some((word) => word.startsWith('gnu')) ? 'glibc' : undefined;
}
