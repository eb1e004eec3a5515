/**
 * Calls back when the event loop has been to its sockets so many times: whatever had arrived before this call is read by then,
 * however busy the loop is. Of one socket, libuv reads 32 datagrams each time.
 */
export function afterReads(times: number, then: () => void): void {
  setImmediate(times <= 1 ? then : () => afterReads(times - 1, then));
}
