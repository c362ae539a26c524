const bytes = 512;

export const doingBuffer = (): SharedArrayBuffer => new SharedArrayBuffer(bytes);

const encoder = new TextEncoder();

/** Writes what a thread is busy with. Never throws; long texts are cut. */
export function writerOf(buffer: SharedArrayBuffer): (what: string) => void {
  const shared = new Uint8Array(buffer);
  const own = new Uint8Array(bytes);
  return (what) => {
    const { written } = encoder.encodeInto(what, own.subarray(0, bytes - 1));
    own[written] = 0;
    shared.set(own.subarray(0, written + 1));
  };
}

/** What the thread is busy with; empty if it never had anything with a name. */
export function readDoing(buffer: SharedArrayBuffer): string {
  const own = Uint8Array.from(new Uint8Array(buffer));
  const end = own.indexOf(0);
  return new TextDecoder().decode(own.subarray(0, end < 0 ? own.length : end));
}
