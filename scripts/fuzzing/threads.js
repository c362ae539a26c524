// Jobs on threads: a module that answers each message with one message.
import { Worker } from 'node:worker_threads';

/**
 * @template Job, Result
 * @param {URL} module answers each job with `{ result }` or `{ error }`
 * @param {readonly Job[]} jobs must survive a structured clone
 * @param {{ threads: number, onResult?: (result: Result, index: number) => void, isOver?: () => boolean }} options
 * @returns {Promise<Result[]>} in the order of the jobs
 */
export async function onThreads(module, jobs, { threads, onResult = () => undefined, isOver = () => false }) {
  const results = new Array(jobs.length);
  let next = 0;
  const work = () =>
    new Promise((resolve, reject) => {
      const worker = new Worker(module);
      let index = -1;
      const give = () => {
        index = next++;
        if (index < jobs.length && !isOver()) worker.postMessage(jobs[index]);
        else worker.terminate().then(resolve);
      };
      worker.on('message', ({ result, error }) => {
        if (error !== undefined) {
          void worker.terminate();
          reject(new Error(`${JSON.stringify(jobs[index]).slice(0, 300)}: ${error}`));
          return;
        }
        results[index] = result;
        onResult(result, index);
        give();
      });
      worker.on('error', reject);
      give();
    });
  await Promise.all(Array.from({ length: Math.min(threads, jobs.length) }, work));
  return results;
}
