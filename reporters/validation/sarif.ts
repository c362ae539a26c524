import { createHash } from 'node:crypto';
import type { DocumentFault, Validation } from '../../src/report/index.js';
import { canParseUrl, printable } from '../../src/wire/index.js';
import { jsonText } from '../json-text.js';
import { levelOf } from '../sarif/rules.js';
import { sarifText } from '../sarif/text.js';
import { sarifSchema } from '../sarif.js';
import { countText, factOf } from './groups.js';

/** The rule of a fault: its check, or the reading of JSON itself. */
const ruleIdOf = ({ check, requirement }: DocumentFault): string => check ?? requirement ?? 'json';

function rulesOf({ faults, checks }: Validation) {
  const found = new Map(faults.map((fault) => [ruleIdOf(fault), fault]));
  const passed = checks.filter(({ id }) => !found.has(id));
  return [
    ...[...found].map(([id, { statement, section, requirement, link, level, fix }]) => ({
      id: printable(id),
      shortDescription: { text: sarifText(statement ?? 'The document can be read.', 1000) },
      fullDescription: { text: sarifText([requirement, section, statement].filter(Boolean).join(', ') || id) },
      ...(link === undefined ? {} : { helpUri: link }),
      help: { text: sarifText([statement, fix].filter(Boolean).join(' ') || id, 4000) },
      defaultConfiguration: { level: levelOf(level) },
    })),
    ...passed.map(({ id, title, level, section }) => ({
      id: printable(id),
      shortDescription: { text: sarifText(`${title}.`, 1000) },
      fullDescription: { text: sarifText(section) },
      help: { text: sarifText(`a2a-tck explain ${id}`) },
      defaultConfiguration: { level: levelOf(level) },
    })),
  ];
}

/** A file as a relative URI, a URL unchanged; stdin has no place, so it has a name. */
function uriOf(source: string): string {
  if (/^https?:/i.test(source) && canParseUrl(source)) return new URL(source).href;
  return source
    .replaceAll('\\', '/')
    .split('/')
    .map((text) => encodeURIComponent(text))
    .join('/');
}

function resultOf(fault: DocumentFault, uri: string, ruleIndex: number) {
  const { pointer, line, column, level, requirement, link, fix } = fault;
  const lines = [
    factOf(fault),
    ...(fault.statement === undefined ? [] : [`Sentence: ${fault.statement}`]),
    ...(fix === undefined ? [] : [`Fix: ${fix}`]),
  ];
  const hash = createHash('sha256')
    .update(JSON.stringify([ruleIdOf(fault), pointer, fault.problem]))
    .digest('hex');
  return {
    ruleId: printable(ruleIdOf(fault)),
    ruleIndex,
    kind: 'fail',
    level: levelOf(level),
    message: { text: lines.map((line) => sarifText(line)).join('\n') },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri }, region: { startLine: line, startColumn: column } },
        logicalLocations: [{ fullyQualifiedName: printable(pointer, 400), kind: 'member' }],
      },
    ],
    partialFingerprints: { 'a2aTckDocument/v1': hash },
    properties: { ...(requirement === undefined ? {} : { requirement }), ...(link === undefined ? {} : { link }) },
  };
}

/** `isOne`: no other document is judged beside it. Of several each has a category, or they would replace each other. */
function runOf(validation: Validation, isOne: boolean) {
  const { kit, document, faults, notes, passed, exitCode, summary } = validation;
  const rules = rulesOf(validation);
  const uri = uriOf(document.source);
  const indexOf = new Map(rules.map(({ id }, at) => [id, at]));
  return {
    tool: { driver: { name: kit.name, version: kit.version, rules } },
    automationDetails: { id: `a2a-tck/validate/${document.kind ?? 'document'}/${isOne ? '' : `${uri}/`}` },
    invocations: [
      {
        executionSuccessful: true,
        exitCode,
        exitCodeDescription: `${passed ? 'passed' : 'failed'}: ${countText(summary)}`,
        toolExecutionNotifications: notes.map(({ text }) => ({ level: 'note', message: { text: sarifText(text) } })),
      },
    ],
    columnKind: 'utf16CodeUnits',
    artifacts: [{ location: { uri } }],
    results: faults.map((fault) => resultOf(fault, uri, indexOf.get(printable(ruleIdOf(fault))) ?? -1)),
  };
}

/** SARIF 2.1.0 with the place of each fault in the file, as code scanning shows it. */
export const validationSarif = (validations: readonly Validation[]): string =>
  `${jsonText(
    {
      $schema: sarifSchema,
      version: '2.1.0',
      runs: validations.map((validation) => runOf(validation, validations.length === 1)),
    },
    1,
  )}\n`;
