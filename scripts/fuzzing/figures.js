// Figures of several measurements.

/** The value below which a share of them lies; the upper one of two. Infinity counts as the largest. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
export const median = (values) => quantile(values, 0.5);

/** `null` stands for what was not found. */
export const known = (value) => (Number.isFinite(value) ? value : null);

/** Rows of equal columns, the first to the left, the rest to the right, the last to the left. */
export function columns(rows) {
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => String(row[at]).length)));
  return rows
    .map((row) =>
      row
        .map((cell, at) =>
          at === 0 || at === row.length - 1 ? String(cell).padEnd(widths[at]) : String(cell).padStart(widths[at]),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
