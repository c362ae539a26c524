import { rmSync } from 'node:fs';
import { TckError } from '../model/index.js';
import type { Archive, Keeping } from './store.js';

// OpenClaw design, Design Decisions 1: tasks are kept in an SQLite database. The library is SQLite as WebAssembly with a file
// system of Node's: nothing is compiled and nothing fetched when it is installed, and it runs on Node 20, which has no
// node:sqlite.

/** As much of the library as is used here. */
interface Library {
  readonly Database: new (
    file: string,
  ) => {
    exec(sql: string): void;
    all(sql: string): readonly Readonly<Record<string, unknown>>[];
    run(sql: string, values: readonly (string | number)[]): unknown;
    close(): void;
  };
}

export interface SqliteArchive extends Archive {
  close(): void;
}

const schema = `CREATE TABLE IF NOT EXISTS tasks (
  id TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  keeping TEXT NOT NULL
)`;
const upsert = `INSERT INTO tasks (id, created_at, keeping) VALUES (?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET keeping = excluded.keeping`;

async function library(): Promise<Library> {
  // Installed beside the kit, and loaded only where tasks are kept in a file.
  const name: string = 'node-sqlite3-wasm';
  try {
    const { default: found } = (await import(name)) as { readonly default: Library };
    return found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new TckError(
      'config',
      `--data needs the package ${name}, which is not installed`,
      `npm install ${name}@0.8 where a2a-tck is installed; npx takes both with --package`,
    );
  }
}

/**
 * Opens or makes the file. Throws `TckError('usage')` when the file cannot be used, `TckError('config')` where
 * `node-sqlite3-wasm` is not installed. One agent at a time uses a file.
 */
export async function sqliteArchive(file: string): Promise<SqliteArchive> {
  const { Database } = await library();
  try {
    // The lock that an agent leaves behind when it is killed during a write.
    rmSync(`${file}.lock`, { recursive: true, force: true });
    const database = new Database(file);
    // A killed process still loses nothing; only a crash of the machine may lose tasks.
    database.exec('PRAGMA synchronous = OFF');
    database.exec(schema);
    return {
      load: () =>
        database
          .all('SELECT keeping FROM tasks ORDER BY created_at, rowid')
          .map(({ keeping }) => JSON.parse(String(keeping)) as Keeping),
      save: (keeping) => void database.run(upsert, [keeping.task.id, keeping.createdAt, JSON.stringify(keeping)]),
      remove: (taskId) => void database.run('DELETE FROM tasks WHERE id = ?', [taskId]),
      close: () => database.close(),
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new TckError(
      'usage',
      `--data ${file} cannot be used: ${why}`,
      'give the path of an SQLite file, or of none yet',
    );
  }
}
