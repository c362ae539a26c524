import type { AnyRule } from '../../kit/index.js';
import type { Ledger, Requirement } from '../../ledger/index.js';
import { type Level, levels } from '../../model/index.js';

/** A requirement row and how the kit covers it. */
export interface RowCoverage {
  readonly row: Requirement;
  /** `card`, `send`: the middle of the row's id. */
  readonly area: string;
  /** Ids of the checks and laws that decide it. */
  readonly checks: readonly string[];
  /** The row can be observed, and a check decides it. */
  readonly covered: boolean;
}

export interface CoverageCount {
  readonly rows: number;
  readonly observable: number;
  readonly covered: number;
  /** Covered of observable, floored; 100 when nothing is observable. */
  readonly percent: number;
}

export interface Coverage {
  readonly rows: readonly RowCoverage[];
  readonly areas: readonly { readonly area: string; readonly level: Level; readonly count: CoverageCount }[];
  readonly levels: readonly { readonly level: Level; readonly count: CoverageCount }[];
}

const areaOf = (id: string): string => (/^[^-]+-(.+)-[^-]+$/.exec(id)?.[1] ?? id).toLowerCase();

function count(rows: readonly RowCoverage[]): CoverageCount {
  const observable = rows.filter(({ row }) => row.unobservable === undefined).length;
  const covered = rows.filter((row) => row.covered).length;
  return {
    rows: rows.length,
    observable,
    covered,
    percent: observable === 0 ? 100 : Math.floor((100 * covered) / observable),
  };
}

/** Which sentences of one version the rules decide. */
export function coverage(rules: readonly AnyRule[], ledger: Ledger): Coverage {
  const rows = ledger.rows.map((row): RowCoverage => {
    const { key } = row;
    const deciding = key === undefined ? [] : rules.filter((rule) => rule.keys.includes(key));
    return {
      row,
      area: areaOf(row.id),
      checks: deciding.map((rule) => rule.id),
      covered: row.unobservable === undefined && deciding.length > 0,
    };
  });
  const areas = [...new Set(rows.map((row) => row.area))];
  const at = (level: Level) => rows.filter((row) => row.row.level === level);
  return {
    rows,
    areas: areas.flatMap((area) =>
      levels
        .map((level) => ({ area, level, count: count(at(level).filter((row) => row.area === area)) }))
        .filter((item) => item.count.rows > 0),
    ),
    levels: levels.map((level) => ({ level, count: count(at(level)) })),
  };
}
